const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const startOfDay = (ms: number) => Math.floor(ms / dayMs) * dayMs;
const isWeekend = (ms: number) => [0, 6].includes(new Date(ms).getUTCDay());

/**
 * Returns the time `hours` business hours after `from`. Business days are Monday to Friday, all day, in UTC. Ignores
 * holidays.
 */
export function addBusinessHours(from: Date, hours: number): Date {
  let at = from.getTime();
  let leftMs = hours * hourMs;
  for (;;) {
    const end = startOfDay(at) + dayMs;
    if (isWeekend(at)) {
      at = end;
      continue;
    }
    // A deadline at midnight belongs to the day that ends, so that a weekend doesn't delay it.
    if (leftMs <= end - at) return new Date(at + leftMs);
    leftMs -= end - at;
    at = end;
  }
}
