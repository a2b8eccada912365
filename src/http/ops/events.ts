import { errorAnswer, jsonAnswer } from "../server/answer.ts";
import { buildAsyncApi } from "../v3/asyncapi.ts";
import { buildEventCatalog } from "../v3/event-catalog.ts";
import { documentPage, type OpsPage } from "./page.ts";

// What receivers of events need. They have no API key.

/** The catalog of events, the AsyncAPI document, and the key that proves where a call is from. */
export function eventPages(publicKey: string | null): readonly OpsPage[] {
  const keyAnswer =
    publicKey === null
      ? errorAnswer("public_key_not_found", "Calls are not signed with a key of this installation")
      : jsonAnswer(200, { public_key: publicKey });
  return [
    documentPage("/events/catalog", buildEventCatalog),
    documentPage("/asyncapi.json", buildAsyncApi),
    { path: "/webhooks/public-key", answer: () => Promise.resolve(keyAnswer) },
  ];
}
