// Transactions whose process was killed. The server keeps what they hold for a minute or more, and a minute is long for
// a caller that needs one of these rows. A call that takes long therefore looks for transactions without an owner, and ends
// them. When one of them still has an owner, that one gets an error and repeats its transaction.
import { type Document, type MongoClient, ReadConcern } from "mongodb";
import { withDeadline } from "./deadline.ts";

/** A transaction goes from one operation to the next in milliseconds. */
const ABANDONED_AFTER_MS = 2_500;
const LOOK_LIMIT_MS = 2_000;

/**
 * Returns what looks for such transactions of programs with this name, one look at a time.
 * @param appName names the installation: a transaction of another one is not ours to end
 */
export function createOrphanSearch(client: MongoClient, appName: string): () => void {
  let looking = false;
  return () => {
    if (looking) return;
    looking = true;
    withDeadline(LOOK_LIMIT_MS, () => endOrphans(client, appName))
      // A failure is harmless: the server ends them too, later.
      .catch(() => undefined)
      .finally(() => {
        looking = false;
      });
  };
}

async function endOrphans(client: MongoClient, appName: string): Promise<void> {
  // What runs on a server has no majority.
  const admin = client.db("admin", { readConcern: new ReadConcern("local") });
  // Of the user's own sessions, which every user may see and end.
  const abandoned = {
    type: "idleSession",
    appName,
    "transaction.timeInactiveMicros": { $gte: ABANDONED_AFTER_MS * 1_000 },
  };
  const idle = admin.aggregate(
    [
      { $currentOp: { allUsers: false, idleSessions: true } },
      { $match: abandoned },
      { $project: { id: "$lsid.id" } },
    ],
    // An id must go back as the UUID that it came as.
    { promoteBuffers: false },
  );
  const sessions: Document[] = await idle.toArray();
  if (sessions.length > 0) await admin.command({ killSessions: sessions });
}
