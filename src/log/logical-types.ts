// Avro's logical types as the program's own values: dates as text, instants as milliseconds.
import avro from "avsc";

const DAY_MS = 86_400_000;
const DAY_TEXTS_MAX = 4_096;
const MICROS_PER_MS = 1_000;

/** Avro's `date` is a number of days since 1970-01-01; ours is the text YYYY-MM-DD. */
class DateText extends avro.types.LogicalType {
  // A chunk's transactions share few days, and turning a day into text costs more than reading the rest of its row.
  readonly #texts = new Map<number, string>();
  protected override _fromValue(days: number): string {
    const known = this.#texts.get(days);
    if (known !== undefined) return known;
    if (this.#texts.size >= DAY_TEXTS_MAX) this.#texts.clear();
    const text = new Date(days * DAY_MS).toISOString().slice(0, 10);
    this.#texts.set(days, text);
    return text;
  }
  // How values of another writer's schema are read: as they come from one of this type, converted from a plain number.
  protected override _resolve(writer: avro.Type): ((value: unknown) => string) | undefined {
    if (avro.Type.isType(writer, "logical:date")) return String;
    return avro.Type.isType(writer, "int") ? (days) => this._fromValue(Number(days)) : undefined;
  }
  protected override _toValue(text: unknown): number | undefined {
    const ms = typeof text === "string" ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
    return Number.isNaN(ms) ? undefined : ms / DAY_MS;
  }
}

/** Avro's `timestamp-micros`; ours are milliseconds, which a double counts exactly for another 285 000 years. */
class InstantMicros extends avro.types.LogicalType {
  protected override _fromValue(micros: number): number {
    return Math.floor(micros / MICROS_PER_MS);
  }
  protected override _resolve(writer: avro.Type): ((value: unknown) => number) | undefined {
    // Both give milliseconds already; a plain number is taken for what this type means by it.
    if (
      avro.Type.isType(writer, "logical:timestamp-micros") ||
      avro.Type.isType(writer, "logical:timestamp-millis")
    ) {
      return Number;
    }
    return avro.Type.isType(writer, "int", "long")
      ? (micros) => this._fromValue(Number(micros))
      : undefined;
  }
  protected override _toValue(ms: unknown): number | undefined {
    return typeof ms === "number" ? ms * MICROS_PER_MS : undefined;
  }
}

/** Avro's `timestamp-millis`, which writers may use where the schema here has micros. */
class InstantMillis extends avro.types.LogicalType {
  protected override _fromValue(ms: number): number {
    return ms;
  }
  protected override _toValue(ms: unknown): number | undefined {
    return typeof ms === "number" ? ms : undefined;
  }
}

export const logicalTypes = {
  date: DateText,
  "timestamp-micros": InstantMicros,
  "timestamp-millis": InstantMillis,
};
