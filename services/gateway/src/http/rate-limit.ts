import fastifyRateLimit, { normalizeIP } from '@fastify/rate-limit';
import { AppError } from '@uprez/contracts/errors/app-error';
import { type RateClass, rateClassOf, rateLimits } from '@uprez/contracts/policy/rate-limits';
import { formatWait } from '@uprez/contracts/texts/format';
import type { SignedInUser } from '@uprez/domain/accounts/sessions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { requireKey, requireKeyActor } from '../v1/bearer.ts';
import { findUser, requireUser } from './authenticate.ts';
import { readKeyCalls, readPlanCalls } from './plan-calls.ts';
import { routeOf } from './route-of.ts';

type LimitDeps = Pick<Deps, 'db' | 'settings' | 'config' | 'counters' | 'log'>;

function classOf(request: FastifyRequest): RateClass | undefined {
  const route = routeOf(request);
  return route && rateClassOf(route.name);
}

/** IPv6 addresses count by their /64: one household or server has all of it. */
const addressOf = (request: FastifyRequest) => `address:${normalizeIP(request.ip, 64)}`;

/** What must stay limited whoever calls and whatever administrators switch off: guessing, and work that costs nothing. */
const byAddress = (rateClass: RateClass | undefined) => rateClass === 'auth' || rateClass === 'preview';

/** The user of a call that asks for one. */
async function findCaller(deps: LimitDeps, request: FastifyRequest): Promise<SignedInUser | undefined> {
  const auth = routeOf(request)?.auth;
  if (auth === 'optional') return findUser(deps, request);
  return auth === 'session' || auth === 'admin' ? requireUser(deps, request) : undefined;
}

/** Images count by account, so that ten keys make no more than one; all else by key. */
function keyOfKey(request: FastifyRequest, rateClass: RateClass | undefined): string {
  const { accountId, key } = requireKeyActor(request);
  if (rateClass !== 'processing') return `${rateClass}:key:${key?.id}`;
  return `processing:${key?.isSandbox ? 'sandbox' : 'account'}:${accountId}`;
}

async function keyOf(deps: LimitDeps, request: FastifyRequest): Promise<string> {
  const rateClass = classOf(request);
  if (routeOf(request)?.auth === 'key') return keyOfKey(request, rateClass);
  const user = byAddress(rateClass) ? undefined : await findCaller(deps, request);
  if (!user) return `${rateClass}:${addressOf(request)}`;
  return rateClass === 'processing' ? `processing:account:${user.id}` : `${rateClass}:session:${user.sessionId}`;
}

/** Calls of a class that are allowed in its window: by table, or by the plan and what administrators have set. */
async function maxOf(deps: LimitDeps, request: FastifyRequest): Promise<number> {
  const { calls } = rateLimits[classOf(request) ?? 'reads'];
  const max = calls === 'plan' ? await planCalls(deps, request) : calls;
  return Math.max(1, Math.floor(max * deps.config.RATE_LIMIT_SCALE));
}

const planCalls = async (deps: LimitDeps, request: FastifyRequest): Promise<number> =>
  routeOf(request)?.auth === 'key'
    ? readPlanCalls(deps, requireKey(request).tier)
    : readPlanCalls(deps, (await findCaller(deps, request))?.tier ?? 'free');

/** Whether the owner of a key gave it fewer calls than its plan has: then every call of it is counted besides. */
const hasOwnLimit = (request: FastifyRequest) =>
  routeOf(request)?.auth === 'key' && requireKey(request).callsPerMinute !== null;

/** Redis that does not answer would hold up every call; so long nobody asks it again. */
const pauseMs = 1_000;

/** Without Redis nobody is counted: guessing and previews are refused then, everything else goes on. */
function handleLostCounter(deps: LimitDeps, rateClass: RateClass, error: unknown): void {
  deps.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'calls are not counted');
  if (byAddress(rateClass)) throw new AppError('service_unavailable', { cause: error });
}

type Counted = { max: number; remaining: number; ttlInSeconds: number; isExceeded: boolean };

/** Sets the headers of each family, and throws `rate_limited` when the limit is exceeded. */
function tell(reply: FastifyReply, { max, remaining, ttlInSeconds, isExceeded }: Counted, families: string[]): void {
  const facts = { limit: max, remaining, reset: ttlInSeconds };
  for (const family of families)
    for (const [name, value] of Object.entries(facts)) reply.header(`${family}-${name}`, value);
  if (!isExceeded) return;
  const detail = `Too many requests. Try again ${formatWait(ttlInSeconds)}.`;
  throw new AppError('rate_limited', { detail, meta: { limit: max, retryAfterS: ttlInSeconds } });
}

/**
 * Count every call of the API in Redis, for all gateways together, and refuse what is too much with `rate_limited` and
 * the seconds to wait. Runs after authorization, which says whose call it is.
 * `headerFamilies`: prefixes of the headers that report limits.
 */
export async function registerRateLimits(
  app: FastifyInstance,
  deps: LimitDeps,
  headerFamilies: string[],
): Promise<void> {
  await app.register(fastifyRateLimit, {
    global: false,
    redis: deps.counters.redis,
    nameSpace: deps.counters.prefix,
    keyGenerator: (request) => keyOf(deps, request),
    max: (request) => maxOf(deps, request),
    timeWindow: (request) => rateLimits[classOf(request) ?? 'reads'].windowMs,
  });
  const count = app.createRateLimit();
  const countOfKey = app.createRateLimit({
    keyGenerator: (request) => `own:key:${requireKey(request).id}`,
    max: async (request) =>
      Math.max(1, Math.floor((await readKeyCalls(deps, requireKey(request))) * deps.config.RATE_LIMIT_SCALE)),
    timeWindow: rateLimits.key.windowMs,
  });
  let pausedUntil = 0;
  app.addHook('onRequest', async (request, reply) => {
    const rateClass = classOf(request);
    if (!rateClass) return;
    const mayPass = !byAddress(rateClass);
    if (mayPass && (Date.now() < pausedUntil || !(await deps.settings.read('security')).rateLimitEnabled)) return;
    try {
      const all = [await count(request), ...(hasOwnLimit(request) ? [await countOfKey(request)] : [])];
      const [strictest] = all.filter((one) => !one.isAllowed).toSorted((a, b) => a.remaining - b.remaining);
      if (strictest) tell(reply, strictest, headerFamilies);
    } catch (error) {
      if (error instanceof AppError) throw error;
      pausedUntil = Date.now() + pauseMs;
      handleLostCounter(deps, rateClass, error);
    }
  });
}
