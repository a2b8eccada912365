// The array or object that a JSON text is assembled into, part by part.
export type JsonContainer = unknown[] | Record<string, unknown>;

/** Adds the items of a part to a value; returns how many. */
export function putAll(target: JsonContainer, part: unknown): number {
  if (Array.isArray(target)) {
    const items = part as unknown[];
    for (const item of items) target.push(item);
    return items.length;
  }
  const members = Object.entries(part as object);
  for (const [name, value] of members) put(target, name, value);
  return members.length;
}

export function put(target: JsonContainer, name: string | null, value: unknown): void {
  if (Array.isArray(target)) target.push(value);
  // A name like any other in JSON; assigned, it would be the object's prototype.
  else if (name === "__proto__") {
    Object.defineProperty(target, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else target[name ?? ""] = value;
}
