import { SingleBar } from "cli-progress";

export interface ProgressBar {
  /** Bytes of the file read so far. */
  update(bytes: number): void;
  stop(): void;
}

/** Redraws per second. */
const FRAMES_PER_SECOND = 5;

/**
 * A bar by bytes on a terminal; silent in a pipe and for inputs of unknown size.
 * @param rowsOnTerminal rows are written to a terminal too: the bar would move its cursor, and erase rows
 */
export function createProgress(
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined },
  bytesTotal: number | null,
  rowsOnTerminal: boolean,
): ProgressBar {
  if (stream.isTTY !== true || rowsOnTerminal || bytesTotal === null || bytesTotal === 0) {
    return { update: () => undefined, stop: () => undefined };
  }
  const bar = new SingleBar({
    stream,
    format: "enriching [{bar}] {percentage} % · {duration_formatted}",
    barCompleteChar: "=",
    barIncompleteChar: " ",
    fps: FRAMES_PER_SECOND,
    hideCursor: true,
    clearOnComplete: true,
    // Ctrl-C is the caller's: it stops the bar before it exits.
    gracefulExit: false,
  });
  bar.start(bytesTotal, 0);
  return {
    update: (bytes) => {
      bar.update(bytes);
    },
    stop: () => {
      bar.stop();
    },
  };
}
