const dayMs = 86_400_000;

/** Returns a day (UTC) `days` later: `2026-11-05`. */
export const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** The first day of the month of a day. */
export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;

/** Returns the days from one to another, both included. */
export const listDays = (from: string, to: string): string[] =>
  Array.from({ length: 1 + (Date.parse(to) - Date.parse(from)) / dayMs }, (_, at) => shiftDay(from, at));
