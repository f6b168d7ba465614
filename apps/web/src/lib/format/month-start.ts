/** Returns the first day of the current month in UTC: `2026-11-01`. */
export const getMonthStart = (): string => `${new Date().toISOString().slice(0, 7)}-01`;
