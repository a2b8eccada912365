// What the steps that look for the parties of a payment pass to each other.
import type { Line, Span } from "../line.ts";
import type { PartyEvidence } from "./confidence.ts";
import type { MerchantContext } from "./owner.ts";

export type Party =
  | {
      readonly kind: "merchant";
      readonly merchant: number;
      readonly span: Span;
      readonly by: PartyEvidence;
    }
  | {
      readonly kind: "named";
      readonly type: "person" | "organization";
      readonly name: string;
      readonly website: string | null;
      readonly span: Span;
      readonly by: PartyEvidence;
      /** What the last token of the span stands for, folded, where it was cut off. */
      readonly lastWord?: string | null;
    }
  | { readonly kind: "none" };

export interface Parties {
  readonly party: Party;
  /** Merchant indexes, outermost first. */
  readonly through: readonly number[];
  /** Category of those who are paid through the innermost, -1 = that may be anybody. */
  readonly throughCategory: number;
  /** How sure the counterparty is, 0..1; 0 when there is none. */
  readonly confidence: number;
}

export type Decided = Pick<Parties, "party" | "through">;

export interface PartyInput {
  readonly line: Line;
  /** The line without wrappings and place. */
  readonly span: Span;
  /** What was cut off behind it: the place, and often an address on the web. */
  readonly tail: Span;
  readonly context: MerchantContext;
  /** The wording says that this is the bank's own business: a fee, interest, cash, a transfer between own accounts. */
  readonly bankInternal: boolean;
  /** What the wording leaves over is shorthand: no name is made from it. */
  readonly mute: boolean;
  readonly afterWording: boolean;
  /** The wording says that it is somebody's pay that arrives. */
  readonly paysWages: boolean;
  /** A labelled field of the bank names the party. */
  readonly labelled: boolean;
  /** A card terminal wrote the line: a card wrapping or a place. Behind a processor it always did. */
  readonly card: boolean;
  /** A payment between accounts: the name is as likely a person's. */
  readonly rail: boolean;
}

export const none: Party = { kind: "none" };
