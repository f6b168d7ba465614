import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';

/** Wall time after which a run is stopped, milliseconds: four estimates, at least two minutes, never above `maxJobSeconds`. */
export function wallLimitMs(plan: ImagePlan, maxJobSeconds: number): number {
  const wanted = Math.max(limits.minJobMs, limits.wallFactor * plan.estimate.seconds * 1_000);
  return Math.min(wanted, maxJobSeconds * 1_000);
}
