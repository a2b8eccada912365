// Which account holders a list of submitted transactions names: those that do not exist are created where their type is known,
// else nothing of the list is accepted.
import { type AccountHolder, statedTypeOf } from "../model/account-holder.ts";
import type { HolderType, TransactionInput } from "../model/transaction.ts";

/** What submissions need of account holders. */
export interface SubmissionPorts {
  /** Those that exist, in any order. */
  getHolders(org: string, ids: readonly string[]): Promise<readonly AccountHolder[]>;
  /** Creates those that do not exist, and changes no other. */
  ensureHolders(org: string, wanted: readonly WantedHolder[]): Promise<void>;
}

export interface WantedHolder {
  readonly id: string;
  readonly statedType: HolderType;
  readonly name: string | null;
}

export type PreparedHolders =
  /** By id: the type of each account holder that the transactions name. */
  | { readonly ok: true; readonly types: ReadonlyMap<string, HolderType> }
  | { readonly ok: false; readonly missingIds: readonly string[] };

export interface Submissions {
  /**
   * Finds the account holders of the transactions, and creates those of which a transaction has the type, unless one is
   * missing: then nothing is created.
   */
  prepareHolders(
    org: string,
    inputs: readonly TransactionInput[],
    mayCreate: boolean,
  ): Promise<PreparedHolders>;
}

export function createSubmissions(ports: SubmissionPorts): Submissions {
  return {
    prepareHolders: async (org, inputs, mayCreate) => {
      const named = holdersNamed(inputs);
      const found = await ports.getHolders(org, [...named.keys()]);
      const types = new Map(found.map((holder) => [holder.id, statedTypeOf(holder)]));
      const missing = [...named].filter(([id]) => !types.has(id));
      const wanted = mayCreate ? missing.flatMap(([, holder]) => holder ?? []) : [];
      if (wanted.length < missing.length) {
        const known = new Set(wanted.map(({ id }) => id));
        return { ok: false, missingIds: missing.map(([id]) => id).filter((id) => !known.has(id)) };
      }
      if (wanted.length > 0) {
        await ports.ensureHolders(org, wanted);
        // Another request may have created one of them at the same time, with another type.
        const ids = wanted.map(({ id }) => id);
        for (const holder of await ports.getHolders(org, ids))
          types.set(holder.id, statedTypeOf(holder));
      }
      return { ok: true, types };
    },
  };
}

/** The account holders by id, in the order in which they are named; null without a type by which one could be created. */
function holdersNamed(
  inputs: readonly TransactionInput[],
): ReadonlyMap<string, WantedHolder | null> {
  const named = new Map<string, WantedHolder | null>();
  for (const { accountHolderId: id, details } of inputs) {
    if (id === null) continue;
    const known = named.get(id) ?? null;
    const statedType = known?.statedType ?? details?.accountHolderType ?? null;
    const name = known?.name ?? details?.accountHolderName ?? null;
    named.set(id, statedType === null ? null : { id, statedType, name });
  }
  return named;
}
