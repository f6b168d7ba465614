import { dashboardRules } from '@uprez/contracts/policy/dashboard-rules';
import type { Meter } from '@uprez/contracts/policy/meters';

/** A meter in its period, from `startsAt` to `resetsAt`. */
export type Metered = { meter: Meter; used: number; left: number; startsAt: Date; resetsAt: Date };
export type Forecast = { meter: Meter; endsAt: Date };

const dayMs = 86_400_000;

/**
 * When the quota runs out at the rate of the period so far: left / (used / days). Undefined if not before the reset.
 */
export function forecastEnd({ meter, used, left, startsAt, resetsAt }: Metered, now: Date): Forecast | undefined {
  const elapsedMs = Number(now) - Number(startsAt);
  if (elapsedMs < dashboardRules.forecastDays * dayMs || used <= 0 || left <= 0) return undefined;
  const endsAt = new Date(Number(now) + (left * elapsedMs) / used);
  return endsAt < resetsAt ? { meter, endsAt } : undefined;
}
