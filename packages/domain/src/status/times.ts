const dayS = 86_400;

/** Unix seconds, rounded down. */
export const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000);
export const dateOf = (seconds: number): Date => new Date(seconds * 1_000);

/** The day (UTC) of a time: `2026-11-27`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The start and the end of a day (UTC), Unix seconds. */
export function spanOfDay(day: string): { from: number; to: number } {
  const from = Date.parse(`${day}T00:00:00Z`) / 1_000;
  return { from, to: from + dayS };
}

/** The last `count` days up to that of a time, the oldest first. */
export function daysUntil(at: Date, count: number): string[] {
  const { from } = spanOfDay(dayOf(at));
  return Array.from({ length: count }, (_, index) => dayOf(dateOf(from - (count - 1 - index) * dayS)));
}
