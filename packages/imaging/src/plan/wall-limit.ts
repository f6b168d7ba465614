import type { ImagePlan } from '@uprez/contracts/image-plan';
import { limits } from '@uprez/contracts/limits';

/** Wall time after which a run is stopped, milliseconds: four estimates, at least two minutes, never above `maxJobSeconds`. */
export function wallLimitMs(plan: ImagePlan, maxJobSeconds: number): number {
  const wanted = Math.max(limits.minJobMs, limits.wallFactor * plan.estimate.seconds * 1_000);
  return Math.min(wanted, maxJobSeconds * 1_000);
}
