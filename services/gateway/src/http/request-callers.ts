import { AsyncLocalStorage } from 'node:async_hooks';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The IP address that a client is counted by; IPv6 by /64, because one household or server has all of it. */
export const addressOf = (request: FastifyRequest): string => normalizeIP(request.ip, 64);

/** Whoever caused the work that runs now, as precisely as is known so far. */
type Caller = { key: string; address: string };

const current = new AsyncLocalStorage<Caller>();
const known = new WeakMap<FastifyRequest, Caller>();

function callerOf(request: FastifyRequest): Caller {
  const held = known.get(request);
  if (held) return held;
  const address = addressOf(request);
  const caller = { key: `address:${address}`, address };
  known.set(request, caller);
  return caller;
}

/** Keeps the caller of each request while it is handled: its IP address, until `setCaller`. */
export function registerCallers(app: FastifyInstance): void {
  const enter = (request: FastifyRequest, _reply: FastifyReply, done: () => void) =>
    current.run(callerOf(request), done);
  app.addHook('onRequest', enter);
  // Reading a body leaves the context.
  app.addHook('preValidation', enter);
}

export function setCaller(request: FastifyRequest, key: string): void {
  callerOf(request).key = key;
}

/** Whose bytes the body of a request is: of its account as soon as that is known, and of its IP address. */
export function holderOf(request: FastifyRequest): { account: string; address: string } {
  const { key, address } = callerOf(request);
  return { account: key, address };
}

/** The caller of the current request. Work of the gateway itself has one of its own. */
export const currentCaller = (): string => current.getStore()?.key ?? 'gateway';

/** The IP address of the current request, as in `addressOf`. Undefined for work of the gateway itself. */
export const currentAddress = (): string | undefined => current.getStore()?.address;
