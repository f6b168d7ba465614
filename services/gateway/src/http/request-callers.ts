import { AsyncLocalStorage } from 'node:async_hooks';
import { normalizeIP } from '@fastify/rate-limit';
import { networkOf } from '@uprez/domain/network-of';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { openNetworkPace } from './open-network-pace.ts';
import { openSecretChecks, type Secret, type SecretChecks } from './open-secret-checks.ts';

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
