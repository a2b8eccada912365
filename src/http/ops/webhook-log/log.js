// The script of the webhook log. What it shows comes from endpoints and from whoever registered them, so it gets into
// the page as text only (`textContent`). The API key is in one variable: not in the address, not in any storage.

/**
 * What is used of the API's answers, see `v3/webhook-schemas.ts`.
 * @typedef {{
 *   id: string, url: string, events: string[], enabled: boolean, disabled_reason: string | null,
 *   disabled_at: string | null, last_error: string | null, last_success_at: string | null, consecutive_failures: number
 * }} Webhook
 * @typedef {{
 *   event_id: string, event_type: string, resource_id: string, state: string, attempt_count: number,
 *   created_at: string, next_attempt_at: string | null, last_attempt_at: string | null, last_status: number | null,
 *   last_error: string | null, replay: boolean
 * }} Delivery
 * @typedef {{
 *   dns: number | null, connect: number | null, tls: number | null, first_byte: number | null, total: number
 * }} Timings
 * @typedef {{
 *   number: number, at: string, status: number | null, error: string | null, detail: string | null,
 *   timings: Timings, response_body: string | null, retry_after: string | null, replay: boolean,
 *   request_id: string | null, key_ids: string[]
 * }} Attempt
 */

/** An endpoint has 10 s to answer a test; whoever waits three times as long waits in vain. */
const ANSWER_MS_MAX = 30_000;
const PAGE_LENGTH = 25;
/** How often a delivery that was sent again is looked at, and when: one that is refused at once is made in milliseconds. */
const LOOKS_MAX = 5;
const LOOK_MS = 1000;

/** @type {Readonly<Record<string, string>>} */
const DISABLED_REASONS = {
  failures: "too many failures in a row over a long time",
  gone: "the endpoint answered 410 Gone",
  customer: "disabled by a user",
};

/** @type {Readonly<Record<string, string>>} */
const STATES = {
  pending: "pending: another attempt will follow",
  held: "held: continues when the webhook is enabled",
  delivered: "delivered",
  exhausted: "exhausted: no attempt is left",
};

// ---- What is shown. Each level begins anew when one above it does, or when it is asked for again; answers to what was
// asked before then are dropped, so that a slow one never replaces a newer one.

const LEVELS = /** @type {const} */ (["webhooks", "webhook", "deliveries", "delivery"]);
/** @typedef {(typeof LEVELS)[number]} Level */

const asked = new Map(LEVELS.map((level) => [level, new AbortController()]));
let apiKey = "";
/** @type {Webhook | null} */
let shownWebhook = null;
/** @type {Delivery | null} */
let shownDelivery = null;
/** @type {string | null} */
let nextCursor = null;

/**
 * Ends what was asked for a level and those below it. `deliveries` is the list within the section of its webhook.
 * @param {Level} level
 * @returns {AbortSignal} for what is asked for it now
 */
function begin(level) {
  for (const one of LEVELS.slice(LEVELS.indexOf(level))) {
    asked.get(one)?.abort();
    asked.set(one, new AbortController());
    if (one !== "deliveries") byId(one).hidden = true;
  }
  return signalOf(level);
}

/** @param {Level} level */
function signalOf(level) {
  return asked.get(level)?.signal ?? AbortSignal.abort();
}

// ---- Asking the API

const LATE = "The service did not answer within 30 seconds. Try again.";
const UNREACHABLE = "The service could not be reached. Is it running, and is your connection up?";

/**
 * @param {AbortSignal} signal
 * @param {string} operation method and path, as the API's table has it
 * @param {Readonly<Record<string, string>>} values of the path's parameters
 * @param {Readonly<Record<string, string>>} query
 * @returns {Promise<object | null>} null: the page shows why, or the answer is no longer needed
 */
async function ask(signal, operation, values = {}, query = {}) {
  const [method = "", pattern = ""] = operation.split(" ");
  const path = pattern.replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) =>
    encodeURIComponent(values[name] ?? ""),
  );
  const search = new URLSearchParams(query).toString();
  try {
    // Relative to /webhooks/log, so that the page also works behind a proxy that adds a prefix.
    const response = await fetch(`..${path}${search === "" ? "" : `?${search}`}`, {
      method,
      headers: { "X-Api-Key": apiKey },
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
    });
    const value = parsed(await response.text());
    if (signal.aborted) return null;
    if (response.ok && value !== null) return value;
    complain(refusalWords(method, response, value));
    if (response.status === 401) keyInput.focus();
  } catch (error) {
    if (signal.aborted) return null;
    const isLate = error instanceof Error && error.name === "TimeoutError";
    complain(isLate ? LATE : UNREACHABLE);
  }
  return null;
}

/**
 * @param {string} text
 * @returns {object | null} null for anything but what the API answers
 */
function parsed(text) {
  try {
    const value = /** @type {unknown} */ (JSON.parse(text));
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} method
 * @param {Response} response
 * @param {object | null} body
 */
function refusalWords(method, response, body) {
  const { status } = response;
  const detail = body !== null && "detail" in body ? body.detail : null;
  const reason = typeof detail === "string" ? ` Reason: ${detail}.` : "";
  if (body === null) {
    return `The answer with status ${String(status)} is not from the API. Is there a proxy in between?`;
  }
  if (status === 401) return "This API key is unknown or revoked. Check its spelling.";
  if (status === 403) {
    return method === "GET"
      ? "This API key cannot read webhooks: it needs the role read, write or admin."
      : "This API key can read but not send: sending needs the role write or admin.";
  }
  if (status === 404) return `It does not exist any more.${reason}`;
  if (status === 429 || status >= 500) {
    const wait = response.headers.get("Retry-After");
    const when = wait === null ? "in a moment" : `in ${wait} s`;
    return `The service cannot do this now (${String(status)}).${reason} Try again ${when}.`;
  }
  return `The service refused this (${String(status)}).${reason}`;
}

// ---- Building the page

/** @param {string} id */
function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no element ${id}`);
  return found;
}

const keyInput = /** @type {HTMLInputElement} */ (byId("key"));
const stateSelect = /** @type {HTMLSelectElement} */ (byId("state"));

/**
 * @param {string} tag
 * @param {string} text
 * @param {string} className
 */
function element(tag, text, className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className !== "") made.className = className;
  return made;
}

/**
 * @param {readonly (readonly [string, string | HTMLElement | null])[]} facts those that are null are left out
 */
function factNodes(facts) {
  return facts.flatMap(([name, fact]) => {
    if (fact === null) return [];
    const shown = element("dd", typeof fact === "string" ? fact : "");
    if (typeof fact !== "string") shown.append(fact);
    return [element("dt", name), shown];
  });
}

/** @param {Parameters<typeof factNodes>[0]} facts */
function factList(facts) {
  const list = element("dl", "");
  list.append(...factNodes(facts));
  return list;
}

/** @param {string} words */
function say(words) {
  byId("problem").textContent = "";
  byId("status").textContent = words;
}

/** @param {string} words */
function complain(words) {
  byId("status").textContent = "";
  byId("problem").textContent = words;
}

/** @param {() => Promise<void>} work that says by itself what it expects to go wrong */
async function run(work) {
  try {
    await work();
  } catch {
    complain("This page cannot read the answer. Reload it and try again.");
  }
}

/**
 * Runs `work` when the button is pressed, unless it still runs. The button stays focusable meanwhile.
 * @param {HTMLElement} button
 * @param {() => Promise<void>} work
 */
function onPress(button, work) {
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    void run(work).finally(() => {
      button.removeAttribute("aria-disabled");
    });
  });
}

/**
 * @param {HTMLElement} list
 * @param {HTMLElement} button
 */
function markCurrent(list, button) {
  for (const other of list.querySelectorAll("button")) other.removeAttribute("aria-current");
  button.setAttribute("aria-current", "true");
}

// ---- Words

/** @param {string | null} instant */
function timeWords(instant) {
  return instant === null ? null : instant.replace("T", " ").replace("Z", " UTC");
}

/**
 * @param {number} count
 * @param {string} singular
 * @param {string} plural
 */
function countWords(count, singular, plural) {
  return `${count === 0 ? "no" : String(count)} ${count === 1 ? singular : plural}`;
}

/**
 * @param {number | null} status
 * @param {string | null} error
 */
function outcomeWords(status, error) {
  const ofStatus = status === null ? "" : ` ${String(status)}`;
  return error === null ? `answered${ofStatus}` : `failed: ${error}${ofStatus}`;
}

/** @param {number | null} milliseconds */
function phaseWords(milliseconds) {
  return milliseconds === null ? null : `${String(milliseconds)} ms`;
}

// ---- Webhooks

async function showWebhooks() {
  const signal = begin("webhooks");
  say("Loading the webhooks …");
  const answer = await ask(signal, "GET /v3/webhooks", {}, { limit: "100" });
  if (answer === null) return;
  const { data } = /** @type {{ data: Webhook[] }} */ (answer);
  keyInput.value = "";
  byId("remove-key").hidden = false;
  byId("webhook-list").replaceChildren(...data.map(webhookItem));
  byId("webhooks").hidden = false;
  byId("webhooks-heading").focus();
  say(
    data.length === 0
      ? "This organization has no webhooks. POST /v3/webhooks registers one."
      : `Shown: ${countWords(data.length, "webhook", "webhooks")}.`,
  );
}

/** @param {Webhook} webhook */
function webhookItem(webhook) {
  // One with a lost secret fails without being called; without a success nothing is known of it.
  const isFailing = webhook.consecutive_failures > 0 || webhook.last_error !== null;
  const known = webhook.last_success_at === null ? "" : "good";
  const item = element("li", "", webhook.enabled && !isFailing ? known : "bad");
  const button = element("button", webhook.url);
  onPress(button, () => {
    markCurrent(byId("webhook-list"), button);
    return showWebhook(webhook);
  });
  const reason = webhook.disabled_reason ?? "";
  const disabledAt = timeWords(webhook.disabled_at);
  const since = disabledAt === null ? "" : ` since ${disabledAt}`;
  const state = webhook.enabled ? `enabled${isFailing ? ", failing" : ""}` : `disabled${since}`;
  item.append(
    button,
    factList([
      ["State", state],
      ["Reason", webhook.enabled ? null : (DISABLED_REASONS[reason] ?? reason)],
      ["Failures", `${String(webhook.consecutive_failures)} in a row`],
      ["Last error", webhook.last_error],
      ["Last success", timeWords(webhook.last_success_at) ?? "none yet"],
      ["Events", webhook.events.join(", ")],
    ]),
  );
  return item;
}

/** @param {Webhook} webhook */
async function showWebhook(webhook) {
  begin("webhook");
  shownWebhook = webhook;
  byId("webhook-url").textContent = webhook.url;
  byId("test-result").hidden = true;
  stateSelect.value = "";
  byId("webhook").hidden = false;
  byId("webhook-heading").focus();
  await showDeliveries();
}

async function sendTest() {
  const signal = signalOf("webhook");
  if (shownWebhook === null) return;
  say("Calling the endpoint; it must answer within 10 seconds …");
  const answer = await ask(signal, "POST /v3/webhooks/{id}/test", { id: shownWebhook.id });
  if (answer === null) return;
  const attempt = /** @type {Attempt} */ (answer);
  byId("test-attempt").replaceChildren(attemptItem(attempt, "webhooks.test"));
  byId("test-result").hidden = false;
  byId("test-heading").focus();
  say(`Test: ${outcomeWords(attempt.status, attempt.error)}.`);
}

// ---- Deliveries

async function showDeliveries() {
  const signal = begin("deliveries");
  byId("delivery-list").replaceChildren();
  byId("older").hidden = true;
  nextCursor = null;
  await addDeliveries(signal);
}

async function showOlder() {
  const { length } = byId("delivery-list").children;
  await addDeliveries(signalOf("deliveries"));
  // The button may be gone with the last page, and what was asked for begins here.
  byId("delivery-list").children[length]?.querySelector("button")?.focus();
}

/** @param {AbortSignal} signal */
async function addDeliveries(signal) {
  if (shownWebhook === null) return;
  say("Loading the deliveries …");
  const query = {
    limit: String(PAGE_LENGTH),
    ...(stateSelect.value === "" ? {} : { state: stateSelect.value }),
    ...(nextCursor === null ? {} : { cursor: nextCursor }),
  };
  const id = shownWebhook.id;
  const answer = await ask(signal, "GET /v3/webhooks/{id}/deliveries", { id }, query);
  if (answer === null) return;
  const page = /** @type {{ next_cursor: string | null, data: Delivery[] }} */ (answer);
  const list = byId("delivery-list");
  list.append(...page.data.map(deliveryItem));
  nextCursor = page.next_cursor;
  byId("older").hidden = nextCursor === null;
  const shown = countWords(list.children.length, "delivery", "deliveries");
  const of = stateSelect.value === "" ? "" : ` in the state ${stateSelect.value}`;
  say(`Shown: ${shown}${of}, newest first${nextCursor === null ? "" : "; there are older ones"}.`);
}

/** @param {Delivery} delivery */
function deliveryItem(delivery) {
  const item = element("li", "", stateClass(delivery.state));
  const time = timeWords(delivery.created_at) ?? "";
  const button = element("button", `${delivery.event_type}, ${time}`);
  onPress(button, () => {
    markCurrent(byId("delivery-list"), button);
    return showDelivery(delivery);
  });
  const attempts = countWords(delivery.attempt_count, "attempt", "attempts");
  const last =
    delivery.last_attempt_at === null
      ? ""
      : `, the last ${outcomeWords(delivery.last_status, delivery.last_error)}`;
  item.append(button, element("p", `${delivery.state}; ${attempts}${last}`));
  return item;
}

/** @param {string} state */
function stateClass(state) {
  if (state === "delivered") return "good";
  return state === "exhausted" ? "bad" : "";
}

// ---- One delivery

/** @param {Delivery} delivery */
async function showDelivery(delivery) {
  const signal = begin("delivery");
  say("Loading the delivery …");
  const detail = await readDelivery(signal, delivery.event_id);
  if (detail === null) return;
  drawDelivery(detail);
  byId("delivery").hidden = false;
  byId("delivery-heading").focus();
  say(`Shown: the delivery with ${countWords(detail.attempts.length, "attempt", "attempts")}.`);
}

/**
 * @param {AbortSignal} signal
 * @param {string} eventId
 * @returns {Promise<Delivery & { attempts: Attempt[] } | null>} null as in `ask`
 */
async function readDelivery(signal, eventId) {
  if (shownWebhook === null) return null;
  const values = { id: shownWebhook.id, event_id: eventId };
  const answer = await ask(signal, "GET /v3/webhooks/{id}/deliveries/{event_id}", values);
  return /** @type {Delivery & { attempts: Attempt[] } | null} */ (answer);
}

/** @param {Delivery & { attempts: Attempt[] }} detail */
function drawDelivery(detail) {
  shownDelivery = detail;
  byId("delivery-facts").replaceChildren(
    ...factNodes([
      ["Event", detail.event_type],
      ["Event id", detail.event_id],
      ["About", detail.resource_id],
      ["Happened", timeWords(detail.created_at)],
      ["State", STATES[detail.state] ?? detail.state],
      ["Next attempt", detail.state === "pending" ? timeWords(detail.next_attempt_at) : null],
      ["Sent again", detail.replay ? "yes, on request" : null],
    ]),
  );
  const attempts = detail.attempts.map((attempt) =>
    attemptItem(attempt, `Attempt ${String(attempt.number)}`),
  );
  byId("attempt-list").replaceChildren(...attempts);
}

/**
 * @param {Attempt} attempt
 * @param {string} name
 */
function attemptItem(attempt, name) {
  const item = element("li", "", attempt.error === null ? "good" : "bad");
  const { dns, connect, tls, first_byte, total } = attempt.timings;
  item.append(
    element("h4", `${name} ${outcomeWords(attempt.status, attempt.error)}`),
    factList([
      ["Time", timeWords(attempt.at)],
      ["Error", attempt.detail],
      ["Retry-After", attempt.retry_after],
      ["Sent again", attempt.replay ? "yes, on request" : null],
      ["Name lookup", phaseWords(dns)],
      ["Connecting", phaseWords(connect)],
      ["TLS", phaseWords(tls)],
      ["First byte", phaseWords(first_byte)],
      ["Total", phaseWords(total)],
      ["Request id", attempt.request_id],
      ["Signed with", attempt.key_ids.length === 0 ? null : attempt.key_ids.join(", ")],
      ["Answer", attempt.status === null ? "none came" : bodyShown(attempt.response_body)],
    ]),
  );
  return item;
}

/** @param {string | null} body */
function bodyShown(body) {
  if (body === null) return "not stored";
  if (body === "") return "empty";
  const shown = element("pre", body);
  // Reachable with keys alone: a long one scrolls.
  shown.tabIndex = 0;
  shown.setAttribute("role", "region");
  shown.setAttribute("aria-label", "Body of the answer");
  return shown;
}

async function refreshDelivery() {
  if (shownDelivery === null) return;
  const detail = await readDelivery(signalOf("delivery"), shownDelivery.event_id);
  if (detail === null) return;
  drawDelivery(detail);
  say("Shown: the delivery as it is now.");
}

async function resend() {
  const signal = signalOf("delivery");
  if (shownWebhook === null || shownDelivery === null) return;
  const { event_id } = shownDelivery;
  const values = { id: shownWebhook.id, event_id };
  say("Requesting to send it again …");
  const operation = "POST /v3/webhooks/{id}/deliveries/{event_id}/resend";
  const answer = await ask(signal, operation, values);
  if (answer === null) return;
  const resent = /** @type {Delivery} */ (answer);
  if (resent.state === "held") {
    await refreshDelivery();
    say("The webhook is disabled: it is sent again when the webhook is enabled.");
  } else {
    say("It is being sent again …");
    await awaitAttempt(signal, resent);
  }
}

/**
 * @param {AbortSignal} signal
 * @param {Delivery} resent
 */
async function awaitAttempt(signal, { event_id, attempt_count }) {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const detail = await readDelivery(signal, event_id);
    if (detail === null) return;
    drawDelivery(detail);
    const last = detail.attempts.at(-1);
    const isMade = detail.state !== "pending" || detail.attempt_count > attempt_count;
    if (last !== undefined && isMade) {
      say(`Sent again: ${outcomeWords(last.status, last.error)}.`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  if (!signal.aborted) say("It is waiting to be sent. Refresh the delivery later.");
}

// ---- Start

byId("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const typed = keyInput.value.trim();
  // Anything else cannot be in a header, and the browser would say so as if the service were not there.
  if (!/^[\x21-\x7e]+$/.test(typed)) {
    complain("This is not an API key: keys have letters, digits and symbols, without spaces.");
    return;
  }
  apiKey = typed;
  void run(showWebhooks);
});

// The page begins anew, and with it the variable that has the key and all that it showed.
byId("remove-key").addEventListener("click", () => {
  location.reload();
});

onPress(byId("refresh-webhooks"), showWebhooks);
onPress(byId("send-test"), sendTest);
onPress(byId("refresh-deliveries"), showDeliveries);
onPress(byId("older"), showOlder);
onPress(byId("resend"), resend);
onPress(byId("refresh-delivery"), refreshDelivery);
stateSelect.addEventListener("change", () => {
  void run(showDeliveries);
});
