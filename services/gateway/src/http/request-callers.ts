import { AsyncLocalStorage } from 'node:async_hooks';
import { normalizeIP } from '@fastify/rate-limit';
import { networkOf } from '@uprez/domain/network-of';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { openNetworkPace } from './open-network-pace.ts';
import { openSecretChecks, type Secret, type SecretChecks } from './open-secret-checks.ts';

/** The IP address that a client is counted by; IPv6 by /64, because one household or server has all of it. */
export const addressOf = (request: FastifyRequest): string => normalizeIP(request.ip, 64);

const unprovenPrefix = 'prefix:';

/** Whether a caller is an IP prefix. */
export const isUnproven = (caller: string): boolean => caller.startsWith(unprovenPrefix);

/** Whoever caused the work that runs now, as precisely as is known so far. */
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
    // A link in an email says nothing about the session that the request has, too.
    if (callerOf) caller.key = key ?? unprovenPrefix + caller.prefix;
  };
  return caller.checks.find(secret, { prefix: caller.prefix, find, callerOf, onCaller });
}

/** Whose bytes the body of a request is: of its account as soon as that is known, and of its IP address. */
export function holderOf(request: FastifyRequest): { account: string; address: string } {
  const { key, address } = requireCaller(request);
  return { account: key, address };
}

/** The caller of the current request. Work of the gateway itself has one of its own. */
export const currentCaller = (): string => current.getStore()?.key ?? 'gateway';

/** The IP address of the current request, as in `addressOf`. Undefined for work of the gateway itself. */
export const currentAddress = (): string | undefined => current.getStore()?.address;
