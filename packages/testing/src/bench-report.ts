import os from 'node:os';

/** Returns the median, or the value at share `p` of the sorted list. */
export function percentile(values: readonly number[], p = 0.5): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? Number.NaN;
}

/** Returns processor, cores, and memory of the machine. */
export function describeMachine(): string {
  const gigabytes = Math.round(os.totalmem() / 2 ** 30);
  return `${os.cpus()[0]?.model.trim()}, ${os.availableParallelism()} cores, ${gigabytes} GB, Node ${process.versions.node}`;
}
