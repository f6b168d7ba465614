const counted = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`;

/** Seconds to wait in words, rounded up: `in 5 seconds`, `in 15 minutes`, `in 2 hours`. */
export function waitWords(seconds: number): string {
  if (seconds < 60) return `in ${counted(Math.max(1, Math.ceil(seconds)), 'second')}`;
  if (seconds < 3_600) return `in ${counted(Math.ceil(seconds / 60), 'minute')}`;
  return `in ${counted(Math.ceil(seconds / 3_600), 'hour')}`;
}
