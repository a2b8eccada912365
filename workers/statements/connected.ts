// Cells of a raster that hold together.

/** In cells; right and bottom are behind the last one. */
export interface ConnectedBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface RasterSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The box around the cells with 1 that hold together with one of them; all of these become 0.
 * @param cells row by row
 * @param corners whether cells that meet at a corner hold together too
 */
export function takeConnected(
  cells: Uint8Array,
  start: number,
  { width, height }: RasterSize,
  corners: boolean,
): ConnectedBox {
  const box = { left: width, top: height, right: 0, bottom: 0 };
  const open: number[] = [];
  const take = (index: number): void => {
    if (cells[index] !== 1) return;
    cells[index] = 0;
    open.push(index);
  };
  const takeAround = (x: number, y: number): void => {
    for (let v = Math.max(y - 1, 0); v <= Math.min(y + 1, height - 1); v += 1)
      for (let u = Math.max(x - 1, 0); u <= Math.min(x + 1, width - 1); u += 1)
        if (corners || u === x || v === y) take(v * width + u);
  };
  take(start);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, y] = [at % width, Math.floor(at / width)];
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x + 1);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y + 1);
    takeAround(x, y);
  }
  return box;
}
