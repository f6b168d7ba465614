const dayS = 86_400;

/** Converts a time to Unix seconds, rounded down. */
export const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000);
export const dateOf = (seconds: number): Date => new Date(seconds * 1_000);

/** Returns the UTC day of a time, such as `2026-11-27`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Returns the start and the end of a UTC day, in Unix seconds. */
export function spanOfDay(day: string): { from: number; to: number } {
  const from = Date.parse(`${day}T00:00:00Z`) / 1_000;
  return { from, to: from + dayS };
}

/** Returns the last `count` UTC days up to and including the day of `at`, oldest first. */
export function daysUntil(at: Date, count: number): string[] {
  const { from } = spanOfDay(dayOf(at));
  return Array.from({ length: count }, (_, index) => dayOf(dateOf(from - (count - 1 - index) * dayS)));
}
