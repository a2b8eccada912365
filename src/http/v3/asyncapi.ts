import { EVENT_TYPES, TEST_EVENT_TYPE } from "../../model/event.ts";
import { JSON_TYPE } from "../server/answer.ts";
import { describeSchemas } from "../server/openapi.ts";
import { describeTopics } from "./asyncapi-topics.ts";
import {
  eventExample,
  eventSchema,
  eventSchemaName,
  eventWords,
  type SentEventType,
} from "./event-catalog.ts";

const TYPES: readonly SentEventType[] = [...EVENT_TYPES, TEST_EVENT_TYPE];

/** The AsyncAPI 3.0 document: what a webhook is called with, and the topics of Kafka for other programs. */
export function buildAsyncApi(): object {
  const topics = describeTopics();
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Ledgerline events",
      version: "3",
      description:
        "A webhook is called with POST for every event that it subscribed to. Any 2xx answer within 10 seconds accepts " +
        "the event; without one it is sent again for up to 24 hours. An event can arrive more than once, over a webhook " +
        "and on the topic `events`: remember `event_id`.",
    },
    defaultContentType: JSON_TYPE,
    channels: {
      webhook: {
        // The specification requires null where only the installation has the address.
        address: null,
        title: "Webhook",
        description: "The `url` of a webhook, see `POST /v3/webhooks`.",
        messages: references(TYPES, "#/components/messages/"),
      },
      ...topics.channels,
    },
    operations: {
      callWebhook: {
        action: "send",
        channel: { $ref: "#/channels/webhook" },
        bindings: { http: { method: "POST", bindingVersion: "0.3.0" } },
        messages: TYPES.map((type) => ({ $ref: `#/channels/webhook/messages/${type}` })),
      },
      ...topics.operations,
    },
    components: {
      messages: {
        ...Object.fromEntries(TYPES.map((type) => [type, message(type)])),
        ...topics.messages,
      },
      schemas: { ...describeSchemas(TYPES.map(eventSchema)), EventHeaders: EVENT_HEADERS },
    },
  };
}

function references(names: readonly string[], start: string): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: start + name }]));
}

function message(type: SentEventType): object {
  const { description } = eventWords[type];
  const example = eventExample(type);
  return {
    name: type,
    description,
    contentType: JSON_TYPE,
    headers: { $ref: "#/components/schemas/EventHeaders" },
    payload: { $ref: `#/components/schemas/${eventSchemaName(type)}` },
    ...(example === null ? {} : { examples: [{ payload: example }] }),
  };
}

const textSchema = (description: string): object => ({ type: "string", description });

const EVENT_HEADERS = {
  type: "object",
  properties: {
    "webhook-id": textSchema("The `event_id`: the same on every attempt."),
    "webhook-timestamp": textSchema("When this attempt was made, in seconds since 1970."),
    "webhook-sequence": {
      type: "integer",
      minimum: 1,
      description:
        "Number of the event among those of its resource, from 1. It also counts events that the webhook did not subscribe to, and " +
        "is not signed. Left out on a test.",
    },
    "webhook-signature": textSchema(
      "Signatures of `<webhook-id>.<webhook-timestamp>.<body>` as in Standard Webhooks, separated by spaces: `v1,` and " +
        "base64 of HMAC-SHA256 under the webhook's `hmac_secret`; `v1a,` and base64 of Ed25519 under the key of " +
        "`/webhooks/public-key`. Left out where there is neither.",
    ),
    "X-Request-ID": textSchema(
      "A different id for every attempt; the list of attempts contains it.",
    ),
    "X-Service-Token": textSchema("The webhook's `token`; left out where it has none."),
    "X-Service-Token-Previous": textSchema(
      "The previous `token`, for some days after it was changed.",
    ),
    "webhook-replay": {
      ...textSchema("Only on an event that was resent on request."),
      enum: ["1"],
    },
  },
  required: ["webhook-id", "webhook-timestamp"],
} as const;
