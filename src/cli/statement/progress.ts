import { SingleBar } from "cli-progress";

export interface PageProgress {
  /** Pages that were recognised, of all that must be. */
  update(done: number, total: number): void;
  stop(): void;
}

/** A scanned page takes a second: a bar by pages, on a terminal and only while pages are recognised. */
export function createPageProgress(
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined },
  file: string,
): PageProgress {
  let bar: SingleBar | null = null;
  return {
    update: (done, total) => {
      if (stream.isTTY !== true) return;
      if (bar === null) {
        bar = new SingleBar({
          stream,
          format: "{file} [{bar}] {value}/{total} pages · {duration_formatted}",
          barCompleteChar: "=",
          barIncompleteChar: " ",
          hideCursor: true,
          clearOnComplete: true,
          gracefulExit: false,
        });
        bar.start(total, done, { file });
      }
      bar.setTotal(total);
      bar.update(done);
    },
    stop: () => {
      bar?.stop();
      bar = null;
    },
  };
}
