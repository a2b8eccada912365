/** Milliseconds since 1970, UTC. A parameter wherever the time is needed, so that tests can set it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
