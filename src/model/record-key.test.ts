import fc from "fast-check";
import { expect, it } from "vitest";
import { batchRecordKey, callRecordKey, readRecordKey, scheduleOfKey } from "./record-key.ts";

it("a key contains the tenant and the priority of its record", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.nat(), (org, id, index) => {
      const key = batchRecordKey(org, id, index);
      expect(readRecordKey(key)).toEqual([org, id, undefined]);
      expect(scheduleOfKey(key)).toEqual({ tenant: org, priority: "default" });
      expect(scheduleOfKey(batchRecordKey(org, id, index, "low"))).toEqual({
        tenant: org,
        priority: "low",
      });
      expect(scheduleOfKey(callRecordKey(org, "local", id)).tenant).toBe(org);
    }),
  );
});

it("any other key is readable and of one tenant", () => {
  for (const key of ["", "a", "7", "{}", "null", "[7,8,9,10]", '["a"', "\u0000"]) {
    expect(scheduleOfKey(key)).toEqual({ tenant: "", priority: "default" });
  }
});
