/** Milliseconds of processor time that this thread has used: unlike time, not more where others keep the machine busy. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
