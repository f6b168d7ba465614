import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { normalizeIP } from '@fastify/rate-limit';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import { formatWait } from '@uprez/contracts/texts/format';
import { type FairQueue, makeFairQueue, QueueFullError } from '@uprez/domain/make-fair-queue';
import { networkOf } from '@uprez/domain/network-of';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.ts';

/**
 * Returns the IP address under which a client's requests are counted. IPv6 addresses are truncated to /64, because a
 * household or server usually controls an entire /64.
 */
export const addressOf = (request: FastifyRequest): string => normalizeIP(request.ip, 64);

const unprovenPrefix = 'prefix:';

export const isUnproven = (caller: string): boolean => caller.startsWith(unprovenPrefix);

/** The caller of a request. `key` is the account or service key, or the IP prefix until one of these is known. */
type Caller = {
  key: string;
  address: string;
  prefix: string;
  checks: SecretChecks;
  pace: ReturnType<typeof openNetworkPace>;
};

const callerStorage = new AsyncLocalStorage<Caller>();
const callers = new WeakMap<FastifyRequest, Caller>();

function requireCaller(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (!caller) throw new Error(`The request ${request.id} has no caller.`);
  return caller;
}

/** Tracks the caller of each request. The caller is an IP prefix until the request proves its account. */
export function registerCallers(
  app: FastifyInstance,
  { RATE_LIMIT_SCALE: scale }: Pick<Config, 'RATE_LIMIT_SCALE'>,
): void {
  const checks = openSecretChecks({ scale });
  const pace = openNetworkPace({ scale });
  app.addHook('onRequest', (request, _reply, done) => {
    const prefix = networkOf(request.ip);
    const caller = { key: unprovenPrefix + prefix, address: addressOf(request), prefix, checks, pace };
    callers.set(request, caller);
    callerStorage.run(caller, done);
  });
  // Reading a body loses the asynchronous context.
  app.addHook('preValidation', (request, _reply, done) => callerStorage.run(requireCaller(request), done));
}

export const isUnprovenRequest = (request: FastifyRequest): boolean => isUnproven(requireCaller(request).key);

/** Waits for a request's turn among the requests of its IP prefix. Throws `rate_limited`. */
export function waitForNetwork(request: FastifyRequest): Promise<void> {
  const { pace, prefix, address } = requireCaller(request);
  return pace.wait({ prefix, address });
}

/**
 * `callerOf`: returns the account or service key that the found record belongs to. Without `callerOf`, the request
 * keeps its caller.
 */
type SentSecret<T> = Secret & { find: () => Promise<T>; callerOf?: (found: T) => string };

/**
 * Looks up a secret that a client has sent. All lookups of secrets must use this function, because it limits them per
 * IP prefix, and a client could otherwise send any number of secrets. Throws the errors of `find`, and `rate_limited`.
 */
export function lookUpSecret<T>(request: FastifyRequest, { find, callerOf, ...secret }: SentSecret<T>): Promise<T> {
  const caller = requireCaller(request);
  const onCaller = (key: string | undefined) => {
    // If the secret doesn't identify a caller (such as a token in an emailed link), keeps the caller established by the
    // session.
    if (callerOf) caller.key = key ?? unprovenPrefix + caller.prefix;
  };
  return caller.checks.find(secret, { prefix: caller.prefix, find, callerOf, onCaller });
}

/**
 * Returns the account and IP address that a request body counts against. Uses the IP prefix in place of the account
 * until the account is known.
 */
export function holderOf(request: FastifyRequest): { account: string; address: string } {
  const { key, address } = requireCaller(request);
  return { account: key, address };
}

/** Returns the caller of the current request, or `gateway` for work that the gateway started itself. */
export const currentCaller = (): string => callerStorage.getStore()?.key ?? 'gateway';

/**
 * Returns the IP address of the current request, truncated as in `addressOf`, or undefined for work that the gateway
 * started itself.
 */
export const currentAddress = (): string | undefined => callerStorage.getStore()?.address;

const { networkRequests, networkBurst, networkWaitMs } = limits;

/**
 * How long each request occupies a slot of its IP prefix. Once a burst has filled the `networkBurst` slots, this limits
 * the prefix to `networkRequests` requests per second.
 */
const turnMs = (1_000 * networkBurst) / networkRequests;

type Sender = { prefix: string; address: string };

/**
 * Opens the queues that pace the requests from each IP prefix. The gateway handles all requests in one thread, and a
 * prefix can contain any number of addresses, each with its own rate limit. After a burst, requests from a prefix
 * therefore wait for their turns. The next turn goes to the address with the fewest recent requests.
 *
 * Rejections are delayed, too, because clients would respond to immediate ones with more requests.
 */
export function openNetworkPace({ scale }: { scale: number }) {
  const slots = Math.max(2, Math.floor(networkBurst * scale));
  const maxWaiting = Math.floor((networkRequests * scale * networkWaitMs) / 1_000);
  /** Queues for the prefixes with at least one request that has a turn or is waiting for one. */
  const queues = new Map<string, { queue: FairQueue; requests: number }>();

  function open(prefix: string) {
    const opened = { queue: makeFairQueue({ slots, maxWaiting, halfLifeMs: 1_000 }), requests: 0 };
    queues.set(prefix, opened);
    return opened;
  }

  return {
    /**
     * Resolves when it is the request's turn. Throws `rate_limited` if too many requests from its prefix are waiting.
     */
    wait: async ({ prefix, address }: Sender): Promise<void> => {
      const found = queues.get(prefix) ?? open(prefix);
      const end = () => {
        found.requests -= 1;
        if (found.requests === 0) queues.delete(prefix);
      };
      found.requests += 1;
      try {
        const leave = await found.queue.enter(address);
        setTimeout(() => {
          leave();
          end();
        }, turnMs).unref();
      } catch (error) {
        end();
        if (error instanceof QueueFullError) await rejectAfterDelay();
        throw error;
      }
    },
    count: () => queues.size,
  };
}

async function rejectAfterDelay(): Promise<never> {
  await new Promise((resolve) => void setTimeout(resolve, networkWaitMs));
  const retryAfterS = 1;
  const detail = `Too many requests from your network. Try again ${formatWait(retryAfterS)}.`;
  throw new AppError('rate_limited', {
    detail,
    meta: { limit: networkRequests, retryAfterS },
    limitName: 'network_requests',
  });
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Error codes of lookups of secrets that don't exist. */
const unknownCodes: readonly ErrorCode[] = [
  'bad_api_key',
  'not_signed_in',
  'invalid_token',
  'image_url_invalid',
  'article_not_found',
  'bad_passkey',
];
const isUnknownError = (error: unknown): error is AppError =>
  error instanceof AppError && unknownCodes.includes(error.code);

/**
 * `sort`: the kind of secret. Each kind has its own limit. `isSigned`: whether the secret has our signature. Unknown
 * signed secrets aren't counted, because only this service can have created them.
 */
type Secret = { sort: string; secret: string; isSigned?: boolean };

type Lookup<T> = {
  prefix: string;
  find: () => Promise<T>;
  /** Undefined for kinds of secrets without a caller. */
  callerOf: ((found: T) => string) | undefined;
  /**
   * Called before the lookup with the caller that earlier lookups found, because the lookup takes that caller's turns.
   * Called again with the caller that this lookup finds. Undefined for an unknown caller.
   */
  onCaller: (caller: string | undefined) => void;
};

type SecretChecks = ReturnType<typeof openSecretChecks>;

type Options = { scale: number; delayMs?: number; now?: () => number };

/** Creates the budgets of unknown secrets, which refill gradually. */
function makeBudgets({ scale, delayMs = limits.unknownSecretDelayMs, now = () => Date.now() }: Options) {
  const perMinute = Math.max(1, limits.unknownSecrets * scale);
  const budgets = new LRUCache<string, { left: number; at: number }>({ max: limits.keptSecrets });
  const readLeft = (key: string): number => {
    const { left, at } = budgets.get(key) ?? { left: perMinute, at: now() };
    return Math.min(perMinute, left + ((now() - at) * perMinute) / minuteMs);
  };
  const add = (key: string, count: number): void => {
    budgets.set(key, { left: Math.min(perMinute, readLeft(key) + count), at: now() });
  };
  return {
    giveBack: (key: string): void => add(key, 1),
    /** Throws `rate_limited` if the budget is used up. */
    take: async (key: string): Promise<void> => {
      const left = readLeft(key);
      if (left >= 1) return add(key, -1);
      // Delays the response, because clients that wait for it send fewer requests.
      await pause(delayMs);
      const retryAfterS = Math.max(1, Math.ceil(((1 - left) * minuteMs) / perMinute / 1_000));
      const detail = `Too many unknown keys or links from your network. Try again ${formatWait(retryAfterS)}.`;
      const meta = { limit: perMinute, retryAfterS };
      throw new AppError('rate_limited', { detail, meta, limitName: 'unknown_secrets' });
    },
  };
}

/**
 * Opens the lookups of secrets that clients send. Each unknown secret counts against the IP prefix of its client. Above
 * the limit, looks up only secrets that were valid in the last few days. Other clients on the same network can then
 * continue.
 */
export function openSecretChecks(options: Options) {
  const budgets = makeBudgets(options);
  const max = limits.keptSecrets;
  const known = new LRUCache<string, { caller: string | undefined }>({
    max,
    ttl: limits.knownSecretDays * dayMs,
  });
  const unknown = new LRUCache<string, AppError>({ max, ttl: limits.unknownSecretSeconds * 1_000 });
  /** First lookups of secrets in progress, by hash. These promises never reject. */
  const running = new Map<string, Promise<unknown>>();

  async function look<T>(hash: string, { find, callerOf, onCaller }: Lookup<T>): Promise<T> {
    try {
      const found = await find();
      const caller = callerOf?.(found);
      known.set(hash, { caller });
      onCaller(caller);
      return found;
    } catch (error) {
      if (isUnknownError(error)) {
        known.delete(hash);
        unknown.set(hash, error);
        onCaller(undefined);
      }
      throw error;
    }
  }

  async function lookFirst<T>(hash: string, { sort, isSigned }: Secret, lookup: Lookup<T>): Promise<T> {
    if (isSigned) return look(hash, lookup);
    const budget = `${sort} ${lookup.prefix}`;
    // Before the lookup, because many lookups can run concurrently.
    await budgets.take(budget);
    return look(hash, lookup).finally(() => {
      if (!unknown.has(hash)) budgets.giveBack(budget);
    });
  }

  return {
    /** Throws the errors of `find`, and `rate_limited`. */
    find: async <T>(secret: Secret, lookup: Lookup<T>): Promise<T> => {
      const hash = createHash('sha256').update(`${secret.sort} ${secret.secret}`).digest('base64');
      // Concurrent requests with the same secret count as one. If its lookup fails, one of the waiting requests looks
      // it up again.
      while (running.has(hash)) await running.get(hash);
      const earlier = known.get(hash);
      lookup.onCaller(earlier?.caller);
      const unknownError = unknown.get(hash);
      if (unknownError) throw unknownError;
      if (earlier) return look(hash, lookup);
      const looking = lookFirst(hash, secret, lookup);
      const ended = looking.catch(() => undefined).finally(() => running.delete(hash));
      running.set(hash, ended);
      return looking;
    },
  };
}
