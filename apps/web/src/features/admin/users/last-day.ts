/** Returns the end of a day in UTC: `2026-11-24` -> `2026-11-24T23:59:59.999Z`. */
export const endOfDay = (day: string): string => `${day}T23:59:59.999Z`;

/** Whether a day in UTC hasn't ended. Returns false for strings that aren't days. */
export const isDayToCome = (day: string, now = Date.now()): boolean => Date.parse(endOfDay(day)) > now;

/** Returns the day of a time in UTC, such as `2026-11-24`. */
export const dayOf = (time: string | number): string => new Date(time).toISOString().slice(0, 10);

/** Returns the day in UTC that is `days` days from now. */
export const dayFromNow = (days: number, now = Date.now()): string => dayOf(now + days * 86_400_000);
