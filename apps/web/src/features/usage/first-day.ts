const dayMs = 86_400_000;

/** First day (UTC) of the last `days` days, including today: `2026-11-05`. */
export const firstDay = (days: number, nowMs: number): string =>
  new Date(nowMs - (days - 1) * dayMs).toISOString().slice(0, 10);
