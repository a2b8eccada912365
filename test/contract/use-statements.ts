// Every query of the repository of bank statements once, for the tests that look at how engines find rows.
import { statementEvent } from "../../src/events/events.ts";
import type { StoredStatement } from "../../src/model/statement-document.ts";
import type { Store } from "../../src/store/collection.ts";
import { createEventRepository } from "../../src/store/repositories/events.ts";
import { createHolderRepository } from "../../src/store/repositories/holders.ts";
import { createStatementRepository } from "../../src/store/repositories/statements.ts";

const document: StoredStatement = {
  ...{ org: "o", id: "d", name: "May.pdf", createdAt: 5, status: "queued", size: 0 },
  ...{ pages: 0, accountHolderId: "h", accountType: null, currency: null, failure: null },
  ...{ batchId: null, password: "secret", crashes: 0 },
};

export async function useStatements(store: Store): Promise<void> {
  const statements = createStatementRepository(
    store,
    createEventRepository(store),
    createHolderRepository(store),
  );
  await statements.insert(document);
  const type = { type: "consumer", name: null, categoryId: null, createdAt: 5 } as const;
  const newHolder = { holder: { org: "o", id: "h", ...type }, since: "1" };
  await statements.received(document, { size: 1 }, newHolder);
  await statements.accept(document);
  await statements.get("o", "d");
  await statements.getStored("o", "d");
  const all = { createdAfter: 1, createdBefore: 9, status: null, limit: 10 } as const;
  await statements.list("o", { ...all, after: [5, "x"] });
  await statements.list("o", { ...all, status: ["queued", "processing"], after: null });
  const page = { query: null, order: "desc", page: 1, perPage: 10 } as const;
  await statements.listPage("o", { ...page, status: ["queued"], accountHolderId: null });
  await statements.listPage("o", { ...page, status: null, accountHolderId: "h", query: "may" });
  await statements.countUnfinished("o");
  await statements.rename("o", "d", "June.pdf");
  await statements.start("o", "d");
  await statements.countCrash(document, 0);
  const header = { institution: null, holder: null, period: null, accounts: [] };
  const none = { pages: 1, pagesWithoutText: [], pagesRecognised: [], accounts: [], signals: [] };
  await statements.storeReading(document, { ...none, header });
  await statements.reading("o", "d");
  for await (const { password } of statements.passwords())
    await statements.replacePassword(document, password, "new");
  const end = { status: "processed", failure: null, batchId: null, pages: 1 } as const;
  const event = statementEvent({ ...document, ...end }, 9);
  await statements.finish(document, end, event);
  await statements.markUnenriched(document);
  await statements.ofHolder("o", "h", 10);
  await statements.hide("o", "d");
  await statements.leftBehind(9, 10);
  await statements.has("o", "d");
  await statements.remove(document, [event]);
}
