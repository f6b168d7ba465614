import { may, type Request } from '@uprez/contracts/policy/may';
import { plans, type Tier } from '@uprez/contracts/policy/plans';

/** Name of the smallest plan that allows a request; undefined if `tier` already allows it or no plan does. */
export function smallestPlanFor(tier: Tier, request: Request): string | undefined {
  const answer = may(tier, request);
  return answer.ok || answer.unlockedBy === null ? undefined : plans[answer.unlockedBy].name;
}
