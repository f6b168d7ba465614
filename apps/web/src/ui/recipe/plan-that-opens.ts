import { may, type Request } from '@uprez/contracts/policy/may';
import { plans, type Tier } from '@uprez/contracts/policy/plans';

/** The name of the smallest plan that opens what `tier` lacks; undefined where it lacks nothing, or none opens it. */
export function planThatOpens(tier: Tier, request: Request): string | undefined {
  const answer = may(tier, request);
  return answer.ok || answer.unlockedBy === null ? undefined : plans[answer.unlockedBy].name;
}
