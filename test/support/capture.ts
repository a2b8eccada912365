import { Writable } from "node:stream";

/** A stream that keeps what is written to it, for tests. `take` returns the text so far and clears it. */
export function captureStream(): { readonly stream: Writable; take(): string } {
  let text = "";
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString("utf8");
      done();
    },
  });
  return {
    stream,
    take: () => {
      const taken = text;
      text = "";
      return taken;
    },
  };
}
