/** Milliseconds since 1970, UTC. Handed to whoever needs the time, so that tests can set it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
