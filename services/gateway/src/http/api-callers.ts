import { type Plan, planOf } from '@uprez/contracts/policy/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans';
import type { RateClass } from '@uprez/contracts/policy/rate-limits';
import type { SignedInUser } from '@uprez/domain/accounts/sessions';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { findUser, requireUser } from './authenticate.ts';
import { routeOf } from './contract.ts';
import { addressCounter, countsByAddress, type RateCallers } from './rate-limit.ts';

type CallerDeps = Pick<Deps, 'db' | 'settings'>;

/** Counts requests of `/api` by user or session, or by IP address for visitors. */
export const apiCallers = (deps: CallerDeps): RateCallers => ({
  headerFamilies: ['ratelimit'],
  counterOf: async (request, rateClass: RateClass) => {
    const user = countsByAddress(rateClass) ? undefined : await findCaller(deps, request);
    if (!user) return addressCounter(request, rateClass);
    // A view must not use up what the user may do.
    const isViewed = user.view !== undefined && user.view !== 'ended';
    return countsByAccount(rateClass) && !isViewed
      ? `${rateClass}:account:${user.id}`
      : `${rateClass}:session:${user.sessionId}`;
  },
  planCallsOf: async (request) => {
    const user = await findCaller(deps, request);
    return readPlanCalls(deps, user ? planOf(user) : currentPlans.free);
  },
});

/** More sessions of an account don't allow more work. */
const countsByAccount = (rateClass: RateClass) => ['processing', 'billing', 'proofs', 'archives'].includes(rateClass);

/** The signed-in user, on endpoints that have one. */
async function findCaller(deps: CallerDeps, request: FastifyRequest): Promise<SignedInUser | undefined> {
  const auth = routeOf(request)?.auth;
  if (auth === 'optional') return findUser(deps, request);
  return auth === 'session' || auth === 'admin' ? requireUser(deps, request) : undefined;
}

/** Processing requests per minute of a plan. Administrators set those of the Free plan, which are the minimum of all. */
export async function readPlanCalls(deps: Pick<Deps, 'settings'>, plan: Plan): Promise<number> {
  const { rateLimitRequests } = await deps.settings.read('security');
  return plan.price === 0 ? rateLimitRequests : Math.max(plan.callsPerMinute, rateLimitRequests);
}
