import { planOf } from '@uprez/contracts/policy/plan-versions';
import type { CallerKey } from '@uprez/domain/api-keys/find-caller';
import type { Deps } from '../deps.ts';
import { readPlanCalls } from '../http/api-callers.ts';
import { addressCounter, type RateCallers } from '../http/rate-limit.ts';
import { findKey, findKeyId, requireKey, requireKeyActor } from './bearer.ts';

type CallerDeps = Pick<Deps, 'settings'>;

/**
 * Counts requests of `/v1` by key, and processing requests and archives by account, so that more keys don't allow more of them.
 * Endpoints without a key are counted by IP address.
 */
export const keyCallers = (deps: CallerDeps): RateCallers => ({
  headerFamilies: ['ratelimit', 'x-ratelimit'],
  counterOf: async (request, rateClass) => {
    const keyId = findKeyId(request);
    if (keyId === undefined) return addressCounter(request, rateClass);
    // Service keys have neither an account nor a plan.
    if (!findKey(request)) return `${rateClass}:key:${keyId}`;
    const { accountId, key } = requireKeyActor(request);
    if (!['processing', 'uploads', 'archives'].includes(rateClass)) return `${rateClass}:key:${key?.id}`;
    return `${rateClass}:${key?.isSandbox ? 'sandbox' : 'account'}:${accountId}`;
  },
  planCallsOf: (request) => readPlanCalls(deps, planOf(requireKey(request))),
  ownLimit: {
    counterOf: (request) => {
      const key = findKey(request);
      return key && key.callsPerMinute !== null ? `own:key:${key.id}` : undefined;
    },
    callsOf: (request) => readKeyCalls(deps, requireKey(request)),
  },
});

/** Processing requests per minute of a key: those of the plan, or fewer if its owner set fewer. */
export async function readKeyCalls(
  deps: CallerDeps,
  { callsPerMinute: own, ...account }: Pick<CallerKey, 'tier' | 'planVersion' | 'callsPerMinute'>,
): Promise<number> {
  return Math.min(await readPlanCalls(deps, planOf(account)), own ?? Number.POSITIVE_INFINITY);
}
