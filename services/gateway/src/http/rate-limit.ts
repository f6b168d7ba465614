import fastifyRateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit';
import { AppError } from '@uprez/contracts/errors/app-error';
import { type LimitName, rateLimitName } from '@uprez/contracts/policy/limit-names';
import { type Plan, planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { type RateClass, rateClassOf, rateLimits } from '@uprez/contracts/policy/rate-limits';
import { formatWait } from '@uprez/contracts/texts/format';
import { sitePaths } from '@uprez/contracts/texts/site/pages';
import type { SignedInUser } from '@uprez/domain/accounts/sessions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { findUser, requireUser } from './authenticate.ts';
import { routeOf } from './contract.ts';
import { addressOf, isUnprovenRequest, waitForNetwork } from './request-callers.ts';
import { pathOf } from './web/open-pages.ts';

/** How an API identifies callers and counts their requests. */
export type RateCallers = {
  headerFamilies: string[];
  counterOf: (request: FastifyRequest, rateClass: RateClass) => Promise<string>;
  planCallsOf: (request: FastifyRequest) => Promise<number>;
  /**
   * A lower limit that the caller has set for all classes together. If `counterOf` returns undefined, the caller has
   * set none.
   */
  ownLimit?: {
    counterOf: (request: FastifyRequest) => string | undefined;
    callsOf: (request: FastifyRequest) => Promise<number>;
  };
};

export const addressCounter = (request: FastifyRequest, rateClass: RateClass) =>
  `${rateClass}:address:${addressOf(request)}`;

/**
 * Whether requests of a class are counted by IP address. These limits prevent guessing and free work, so they stay on
 * even if administrators turn off rate limits.
 */
const isCountedByAddress = (rateClass: RateClass) =>
  ['auth', 'preview', 'fetch', 'leads', 'contact', 'messages', 'newsletter'].includes(rateClass);

/**
 * Whether a gateway counts requests of a class in memory. Readiness checks must be answered without Redis, and requests
 * for image URLs are too many for Redis.
 */
const countsPerGateway = (rateClass: RateClass) => rateClass === 'readiness' || rateClass === 'images';

/** Paths of pages that read the database. Each path also covers the pages below it. */
const storedPages = [
  sitePaths.blog,
  sitePaths.help,
  sitePaths.about,
  sitePaths.careers,
  sitePaths.terms,
  sitePaths.privacy,
  sitePaths.status,
];
const isDatabasePage = (path: string) => storedPages.some((page) => path === page || path.startsWith(`${page}/`));

/** Undefined for pages that don't read the database. Other pages cost as much as an API read. */
function classOf(request: FastifyRequest): RateClass | undefined {
  const route = routeOf(request);
  return route ? rateClassOf(route.name) : isDatabasePage(pathOf(request.url)) ? 'reads' : undefined;
}

/** How long requests are counted in memory after Redis fails. Trying Redis for each request would delay it. */
const fallbackMs = 1_000;

/** Maximum number of addresses, sessions, and keys counted in memory. The least recently used ones are dropped. */
const maxLocalCounters = 10_000;

type LimitState = { max: number; remaining: number; ttlInSeconds: number; isExceeded: boolean; limitName: LimitName };

/** Throws `rate_limited` when the limit is exceeded. */
function enforceLimit(reply: FastifyReply, counted: LimitState, families: string[]): void {
  const { max, remaining, ttlInSeconds, isExceeded, limitName } = counted;
  const facts = { limit: max, remaining, reset: ttlInSeconds };
  for (const family of families)
    for (const [name, value] of Object.entries(facts)) reply.header(`${family}-${name}`, value);
  if (!isExceeded) return;
  const detail = `Too many requests. Try again ${formatWait(ttlInSeconds)}.`;
  throw new AppError('rate_limited', { detail, meta: { limit: max, retryAfterS: ttlInSeconds }, limitName });
}

type LimitDeps = Pick<Deps, 'settings'> & { countRequest: RequestCounter };

type CountContext = { callers: RateCallers; countRequest: RequestCounter; rateClass: RateClass };
const countContexts = new WeakMap<FastifyRequest, CountContext>();

/**
 * Counts the requests of an API. Throws `rate_limited` with the seconds to wait, and the errors of `counterOf`, which
 * identifies the caller. Rejected requests, and requests of unknown callers, wait for their turn among the requests of
 * their network.
 */
export function registerRateLimits(app: FastifyInstance, deps: LimitDeps, callers: RateCallers): void {
  app.addHook('onRequest', async (request, reply) => {
    const rateClass = classOf(request);
    if (!rateClass) return;
    // Readiness is counted without reading the settings, because it's checked without the database and without Redis.
    const isOptional = !isCountedByAddress(rateClass) && rateClass !== 'readiness' && rateClass !== 'proofs';
    if (isOptional && !(await isEnabled(deps, request))) return;
    countContexts.set(request, { callers, countRequest: deps.countRequest, rateClass });
    await count(request, reply).catch(async (error: unknown) => {
      // Ignores the network's error, because the caller's limit is more specific.
      await Promise.allSettled([waitForNetwork(request)]);
      throw error;
    });
    // Readiness checks and image URLs don't wait. Probes time out soon, a page may contain hundreds of image URLs, and
    // the keys of image URLs are looked up later.
    if (!countsPerGateway(rateClass) && isUnprovenRequest(request)) await waitForNetwork(request);
  });
}

/**
 * Whether rate limits are on. If the settings can't be read, page requests are counted, because pages are sent even
 * while PostgreSQL is unavailable.
 */
async function isEnabled({ settings }: LimitDeps, request: FastifyRequest): Promise<boolean> {
  try {
    return (await settings.read('security')).rateLimitEnabled;
  } catch (error) {
    if (routeOf(request)) throw error;
    return true;
  }
}

/** Counts a request of a limited route in an additional class, such as when it is accepted. Throws `rate_limited`. */
export async function countAgainstRateClass(
  rateClass: RateClass,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  countContexts.set(request, { ...requireCountContext(request), rateClass });
  await count(request, reply);
}

async function count(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { callers, countRequest, rateClass } = requireCountContext(request);
  const counted = await countRequest(request, rateClass);
  const [strictest] = counted.filter((one) => !one.isAllowed).toSorted((a, b) => a.remaining - b.remaining);
  if (strictest) enforceLimit(reply, strictest, callers.headerFamilies);
}

type CounterDeps = Pick<Deps, 'config' | 'counters' | 'log' | 'rateFallbacks'>;
export type RequestCounter = Awaited<ReturnType<typeof openRequestCounter>>;

/**
 * Opens the counters of both APIs. All gateways share counters in Redis. While Redis is unavailable, each gateway
 * counts in memory, and rejects requests that are limited to prevent guessing and free work, because each gateway would
 * allow the full limit again. Any other error fails only the request that caused it.
 */
export async function openRequestCounter(app: FastifyInstance, deps: CounterDeps) {
  const { redis, prefix, isUnavailable } = deps.counters;
  const countShared = await openCounters(app, deps, { redis, nameSpace: prefix });
  const countLocally = await openCounters(app, deps, { cache: maxLocalCounters });
  let localUntil = 0;
  return async (request: FastifyRequest, rateClass: RateClass) => {
    if (countsPerGateway(rateClass)) return countLocally(request);
    const mayFallBack = !isCountedByAddress(rateClass);
    if (!mayFallBack || performance.now() >= localUntil) {
      try {
        return await countShared(request);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        localUntil = performance.now() + fallbackMs;
        deps.log.warn({ reason: error.message }, 'rate limits count in memory');
        if (!mayFallBack) throw new AppError('service_unavailable', { cause: error });
      }
    }
    deps.rateFallbacks.add({ class: rateClass });
    return countLocally(request);
  };
}

type CounterStore = Pick<RateLimitPluginOptions, 'redis' | 'nameSpace' | 'cache'>;

/** Returns a function that counts a request by its class, and by the caller's own limit if the caller has set one. */
async function openCounters(app: FastifyInstance, { config }: Pick<Deps, 'config'>, store: CounterStore) {
  const scaled = (calls: number) => Math.max(1, Math.floor(calls * config.RATE_LIMIT_SCALE));
  const { scope } = await openScope(app, {
    ...store,
    global: false,
    keyGenerator: (request) => {
      const { callers, rateClass } = requireCountContext(request);
      return callers.counterOf(request, rateClass);
    },
    max: async (request) => {
      const { callers, rateClass } = requireCountContext(request);
      const { calls } = rateLimits[rateClass];
      return scaled(calls === 'plan' ? await callers.planCallsOf(request) : calls);
    },
    timeWindow: (request) => rateLimits[requireCountContext(request).rateClass].windowMs,
  });
  const count = scope.createRateLimit();
  const countOwn = scope.createRateLimit({
    keyGenerator: (request) => requireCountContext(request).callers.ownLimit?.counterOf(request) ?? '',
    max: async (request) => scaled((await requireCountContext(request).callers.ownLimit?.callsOf(request)) ?? 0),
    timeWindow: rateLimits.key.windowMs,
  });
  return async (request: FastifyRequest) => {
    const limitName = rateLimitName(requireCountContext(request).rateClass) as LimitName;
    const counted = [{ ...(await count(request)), limitName }];
    if (requireCountContext(request).callers.ownLimit?.counterOf(request))
      counted.push({ ...(await countOwn(request)), limitName: 'requests_own_key' });
    return counted;
  };
}

function requireCountContext(request: FastifyRequest): CountContext {
  const counting = countContexts.get(request);
  if (!counting) throw new Error(`No API counts the request ${request.id}.`);
  return counting;
}

/**
 * Registers the plugin in its own scope, because a scope has one store. Returns the scope in an object, because
 * promises can't resolve to objects with a `then` method.
 */
async function openScope(app: FastifyInstance, options: RateLimitPluginOptions) {
  const opened = { scope: app };
  // biome-ignore lint/nursery/noMisusedPromises: Fastify awaits plugins that return a promise.
  await app.register(async (scope) => {
    await scope.register(fastifyRateLimit, options);
    opened.scope = scope;
  });
  return opened;
}

type CallerDeps = Pick<Deps, 'db' | 'settings'>;

/** Counts requests of `/api` by account or session, or by IP address for visitors. */
export const apiCallers = (deps: CallerDeps): RateCallers => ({
  headerFamilies: ['ratelimit'],
  counterOf: async (request, rateClass: RateClass) => {
    const user = isCountedByAddress(rateClass) ? undefined : await findCaller(deps, request);
    if (!user) return addressCounter(request, rateClass);
    // A view must not use up the user's limits.
    const isViewed = user.view !== undefined && user.view !== 'ended';
    return isCountedByAccount(rateClass) && !isViewed
      ? `${rateClass}:account:${user.id}`
      : `${rateClass}:session:${user.sessionId}`;
  },
  planCallsOf: async (request) => {
    const user = await findCaller(deps, request);
    return readPlanCalls(deps, user ? planOf(user) : currentPlans.free);
  },
});

/** By account, because more sessions must not allow more work. */
const isCountedByAccount = (rateClass: RateClass) =>
  ['processing', 'billing', 'proofs', 'archives'].includes(rateClass);

/** Undefined for visitors, and on endpoints that don't use the session. */
async function findCaller(deps: CallerDeps, request: FastifyRequest): Promise<SignedInUser | undefined> {
  const auth = routeOf(request)?.auth;
  if (auth === 'optional') return findUser(deps, request);
  return auth === 'session' || auth === 'admin' ? requireUser(deps, request) : undefined;
}

/**
 * Returns how many processing requests per minute a plan allows. Administrators set the limit of the Free plan, which
 * is the minimum for all plans.
 */
export async function readPlanCalls(deps: Pick<Deps, 'settings'>, plan: Plan): Promise<number> {
  const { rateLimitRequests } = await deps.settings.read('security');
  return plan.price === 0 ? rateLimitRequests : Math.max(plan.callsPerMinute, rateLimitRequests);
}
