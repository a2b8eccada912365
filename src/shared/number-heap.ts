// A binary heap of numbers: the least one is known at once, and adding or removing one takes time with the logarithm of their number.

export interface NumberHeap {
  readonly size: number;
  /** Infinity when there is none. */
  readonly least: number;
  add(number: number): void;
  /** Removes the least one, if there is one. */
  removeLeast(): void;
}

export function createNumberHeap(): NumberHeap {
  // The two below place i are at 2i + 1 and 2i + 2, and not less than it.
  const heap: number[] = [];
  const at = (place: number): number => heap[place] ?? Infinity;

  function rise(from: number, number: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (at(above) <= number) break;
      heap[place] = at(above);
      place = above;
    }
    heap[place] = number;
  }

  function sink(number: number): void {
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const below = at(left + 1) < at(left) ? left + 1 : left;
      if (at(below) >= number) break;
      heap[place] = at(below);
      place = below;
    }
    heap[place] = number;
  }

  return {
    get size() {
      return heap.length;
    },
    get least() {
      return at(0);
    },
    add: (number) => {
      rise(heap.length, number);
    },
    removeLeast: () => {
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) sink(last);
    },
  };
}
