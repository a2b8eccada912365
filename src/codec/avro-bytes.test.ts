import { expect, it } from "vitest";
import { AvroBytes } from "./avro-bytes.ts";

const bytesOf = (write: (bytes: AvroBytes) => void): number[] => {
  const bytes = new AvroBytes();
  write(bytes);
  return [...bytes.written()];
};
const integer = (value: number): number[] =>
  bytesOf((bytes) => {
    bytes.integer(value);
  });

it("whole numbers have seven bits a byte and alternating signs, up to the largest a double counts", () => {
  // The first ones are the table of the specification.
  expect([0, -1, 1, -2, 2, -64, 64].map(integer)).toEqual([
    [0x00],
    [0x01],
    [0x02],
    [0x03],
    [0x04],
    [0x7f],
    [0x80, 0x01],
  ]);
  const ones = new Array<number>(6).fill(0xff);
  expect(integer(Number.MAX_SAFE_INTEGER)).toEqual([0xfe, ...ones, 0x1f]);
  expect(integer(Number.MIN_SAFE_INTEGER)).toEqual([0xfd, ...ones, 0x1f]);
});

it("any other number is refused and leaves nothing", () => {
  const bytes = new AvroBytes();
  for (const value of [0.5, Number.NaN, Infinity, 2 ** 53]) {
    expect(() => {
      bytes.integer(value);
    }).toThrow(RangeError);
  }
  expect(bytes.length).toBe(0);
});

it("a list is one block with its count, and an empty one a single zero", () => {
  const list = (items: readonly number[]): number[] =>
    bytesOf((bytes) => {
      bytes.array(items, (item) => {
        bytes.integer(item);
      });
    });
  expect(list([3, 27])).toEqual([0x04, 0x06, 0x36, 0x00]);
  expect(list([])).toEqual([0x00]);
});

it("what was begun can be taken back", () => {
  const bytes = new AvroBytes();
  bytes.text("kept");
  const { length } = bytes;
  bytes.text("begun ü");
  bytes.cutTo(length);
  bytes.text("b");
  expect(Buffer.from(bytes.written()).toString("latin1")).toBe("\x08kept\x02b");
});
