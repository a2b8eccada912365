// Lets workers that are busy at the same time go on together: what they write next is then one commit, in which a page that
// several of them change is written once.

export interface Rendezvous {
  /** Others wait for this participant from now on, until it arrives or leaves. */
  join(): Participant;
}

export interface Participant {
  /** Resolves when no other is waited for, when enough weight has arrived, or when the first that arrived has waited long enough. */
  arrive(weight: number): Promise<void>;
  /** It will not arrive. Does nothing when it has. */
  leave(): void;
}

export interface RendezvousLimits {
  /** Weight that waits for nothing more. */
  readonly weightMax: number;
  /** The longest wait, while others are slow. */
  readonly waitMs: number;
}

export function createRendezvous({ weightMax, waitMs }: RendezvousLimits): Rendezvous {
  /** Participants that have neither arrived nor left. */
  let expected = 0;
  let weight = 0;
  let arrived: (() => void)[] = [];
  let timer: NodeJS.Timeout | null = null;

  function goOn(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const released = arrived;
    arrived = [];
    weight = 0;
    for (const release of released) release();
  }

  function checkComplete(): void {
    if (expected === 0 || weight >= weightMax) goOn();
  }

  return {
    join: () => {
      expected += 1;
      let isExpected = true;
      const settle = (): void => {
        if (isExpected) expected -= 1;
        isExpected = false;
      };
      return {
        arrive: (own) =>
          new Promise((resolve) => {
            settle();
            weight += own;
            arrived.push(resolve);
            timer ??= setTimeout(goOn, waitMs);
            checkComplete();
          }),
        leave: () => {
          settle();
          checkComplete();
        },
      };
    },
  };
}
