import { AsyncLocalStorage } from 'node:async_hooks';
import { normalizeIP } from '@fastify/rate-limit';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { formatWait } from '@uprez/contracts/texts/format';
import { type FairQueue, makeFairQueue, QueueFullError } from '@uprez/domain/make-fair-queue';
import { networkOf } from '@uprez/domain/network-of';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { openSecretChecks, type Secret, type SecretChecks } from './open-secret-checks.ts';

/** The IP address that a client is counted by; IPv6 by /64, because one household or server has all of it. */
export const addressOf = (request: FastifyRequest): string => normalizeIP(request.ip, 64);

const unprovenPrefix = 'prefix:';

/** Whether a caller is an IP prefix. */
export const isUnproven = (caller: string): boolean => caller.startsWith(unprovenPrefix);

/** The caller of the current work, as precisely as is known so far. */
type Caller = {
  key: string;
  address: string;
  prefix: string;
  checks: SecretChecks;
  pace: ReturnType<typeof openNetworkPace>;
};

const current = new AsyncLocalStorage<Caller>();
const known = new WeakMap<FastifyRequest, Caller>();

function requireCaller(request: FastifyRequest): Caller {
  const caller = known.get(request);
  if (!caller) throw new Error(`The request ${request.id} has no caller.`);
  return caller;
}

/** Keeps the caller of each request while it is handled: its IP prefix, until it proves its account. */
export function registerCallers(
  app: FastifyInstance,
  { RATE_LIMIT_SCALE: scale }: Pick<Config, 'RATE_LIMIT_SCALE'>,
): void {
  const checks = openSecretChecks({ scale });
  const pace = openNetworkPace({ scale });
  app.addHook('onRequest', (request, _reply, done) => {
    const prefix = networkOf(request.ip);
    const caller = { key: unprovenPrefix + prefix, address: addressOf(request), prefix, checks, pace };
    known.set(request, caller);
    current.run(caller, done);
  });
  // Reading a body leaves the context.
  app.addHook('preValidation', (request, _reply, done) => current.run(requireCaller(request), done));
}

/** Whether no account of a request is known. */
export const isUnprovenRequest = (request: FastifyRequest): boolean => isUnproven(requireCaller(request).key);

/** Waits for the turn of a request among those of its IP prefix. Throws `rate_limited`. */
export function waitForNetwork(request: FastifyRequest): Promise<void> {
  const { pace, prefix, address } = requireCaller(request);
  return pace.wait({ prefix, address });
}

/** `callerOf`: the account or service key that the found row is of. Without it, the request keeps its caller. */
type Proof<T> = Secret & { find: () => Promise<T>; callerOf?: (found: T) => string };

/**
 * Looks up a secret that a request has sent. Every such lookup must be one of these, because anyone can send any number of
 * secrets. Throws what `find` does, and `rate_limited` for the IP prefix.
 */
export function prove<T>(request: FastifyRequest, { find, callerOf, ...secret }: Proof<T>): Promise<T> {
  const caller = requireCaller(request);
  const onCaller = (key: string | undefined) => {
    // A link in an email doesn't prove the session that the request also has.
    if (callerOf) caller.key = key ?? unprovenPrefix + caller.prefix;
  };
  return caller.checks.find(secret, { prefix: caller.prefix, find, callerOf, onCaller });
}

/** Whose bytes the body of a request is: of its account as soon as that is known, and of its IP address. */
export function holderOf(request: FastifyRequest): { account: string; address: string } {
  const { key, address } = requireCaller(request);
  return { account: key, address };
}

/** The caller of the current request, or `gateway` for work of the gateway itself. */
export const currentCaller = (): string => current.getStore()?.key ?? 'gateway';

/** The IP address of the current request, as in `addressOf`. Undefined for work of the gateway itself. */
export const currentAddress = (): string | undefined => current.getStore()?.address;

const { networkRequests, networkBurst, networkWaitMs } = limits;

/** The time for which a request keeps its turn. */
const turnMs = (1_000 * networkBurst) / networkRequests;

/** A request, by its IP address and the prefix of it. */
type Sender = { prefix: string; address: string };

/**
 * Opens the pace of each IP prefix. One thread handles all requests, and a prefix has any number of addresses with a rate limit
 * each, so its requests wait for their turns after a burst. The next turn goes to the address that recently had the fewest.
 * Rejections are delayed, too, because immediate ones would lead to more requests.
 */
export function openNetworkPace({ scale }: { scale: number }) {
  const slots = Math.max(2, Math.floor(networkBurst * scale));
  const maxWaiting = Math.floor((networkRequests * scale * networkWaitMs) / 1_000);
  /** The prefixes with a request that has a turn or waits for one. */
  const queues = new Map<string, { queue: FairQueue; requests: number }>();

  function open(prefix: string) {
    const opened = { queue: makeFairQueue({ slots, maxWaiting, halfLifeMs: 1_000 }), requests: 0 };
    queues.set(prefix, opened);
    return opened;
  }

  return {
    /** Resolves at the turn of a request. Throws `rate_limited` if too many others of its prefix wait. */
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
        if (error instanceof QueueFullError) await refuse();
        throw error;
      }
    },
    /** Number of prefixes that are known. */
    count: () => queues.size,
  };
}

async function refuse(): Promise<never> {
  await new Promise((resolve) => void setTimeout(resolve, networkWaitMs));
  const retryAfterS = 1;
  const detail = `Too many requests from your network. Try again ${formatWait(retryAfterS)}.`;
  throw new AppError('rate_limited', {
    detail,
    meta: { limit: networkRequests, retryAfterS },
    limitName: 'network_requests',
  });
}
