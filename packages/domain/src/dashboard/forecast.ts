import { dashboardRules } from '@uprez/contracts/policy/dashboard-rules';
import type { Meter } from '@uprez/contracts/policy/meters';

/** A meter in its period, from `startsAt` to `resetsAt`. */
export type Metered = { meter: Meter; used: number; left: number; startsAt: Date; resetsAt: Date };
export type Forecast = { meter: Meter; endsAt: Date };

const dayMs = 86_400_000;

/**
 * When what is left will be used up if every day is like those of the period so far (left / (used / days)). Undefined
 * where that is not before the reset, where nothing is left or was used, or where the period is too young to tell.
 */
export function forecastEnd({ meter, used, left, startsAt, resetsAt }: Metered, now: Date): Forecast | undefined {
  const elapsedMs = Number(now) - Number(startsAt);
  if (elapsedMs < dashboardRules.forecastDays * dayMs || used <= 0 || left <= 0) return undefined;
  const endsAt = new Date(Number(now) + (left * elapsedMs) / used);
  return endsAt < resetsAt ? { meter, endsAt } : undefined;
}
