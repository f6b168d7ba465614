import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { CallerKey } from '@uprez/domain/api-keys/find-caller';
import type { Deps } from '../deps.ts';

/** Calls a minute that a plan allows; administrators set those of the free one, which no plan falls below. */
export async function readPlanCalls(deps: Pick<Deps, 'settings'>, tier: Tier): Promise<number> {
  const { rateLimitRequests } = await deps.settings.read('security');
  return tier === 'free' ? rateLimitRequests : Math.max(plans[tier].callsPerMinute, rateLimitRequests);
}

/** Those of a key: its plan's, or fewer where its owner set fewer. */
export async function readKeyCalls(
  deps: Pick<Deps, 'settings'>,
  { tier, callsPerMinute: own }: Pick<CallerKey, 'tier' | 'callsPerMinute'>,
): Promise<number> {
  return Math.min(await readPlanCalls(deps, tier), own ?? Number.POSITIVE_INFINITY);
}
