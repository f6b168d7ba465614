import { AppError } from '@uprez/contracts/errors/app-error';
import { planOf } from '@uprez/contracts/policy/plan-versions';
import type { Actor } from '@uprez/domain/actor';
import { type CallerKey, getKeyBySecret, requireKeyShape, requireUsable } from '@uprez/domain/api-keys/find-caller';
import { makeKeyCounter } from '@uprez/domain/api-keys/key-counter';
import { explainLapse } from '@uprez/domain/billing/explain-lapse';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { noteAccess } from '../http/access/note-access.ts';
import { routeOf } from '../http/contract.ts';
import { setCaller } from '../http/request-callers.ts';
import { isSandboxPath } from './paths.ts';
import { requireOwnKey } from './require-own-key.ts';

/** Query parameters that other APIs accept a key in. */
const inAddress = /[?&](?:api[_-]?key|access[_-]?token)=/i;

/**
 * Reads the key from the Authorization header. Keys in URLs are rejected, because URLs end up in logs and histories.
 * Throws `bad_api_key`, also for text that can't be a key.
 */
function readKey({ headers, url }: FastifyRequest): string {
  if (inAddress.test(url))
    throw new AppError('bad_api_key', {
      detail: 'Unauthorized: send your API key in the "Authorization: Bearer" header, not in the URL.',
    });
  const match = /^Bearer(?: +([^\s]+))?$/i.exec(headers.authorization ?? '');
  if (!match)
    throw new AppError('bad_api_key', {
      detail: 'Unauthorized: send your API key in the "Authorization: Bearer" header.',
    });
  const [, secret = ''] = match;
  requireOwnKey(secret);
  requireKeyShape(secret);
  return secret;
}

const known = new WeakMap<FastifyRequest, CallerKey>();

/** The key of a request, after authorization. */
export const findKey = (request: FastifyRequest): CallerKey | undefined => known.get(request);

/** The key of a request whose route asks for one, as authorization has read it. */
export function requireKey(request: FastifyRequest): CallerKey {
  const key = known.get(request);
  if (!key) throw new AppError('bad_api_key');
  return key;
}

/** The owner of the key, as an actor. */
export function requireKeyActor(request: FastifyRequest): Actor {
  const { id, accountId, kind, ...account } = requireKey(request);
  return { accountId, plan: planOf(account), key: { id, isSandbox: kind === 'test' || isSandboxPath(request) } };
}

/**
 * Rejects text that can't be a key before the database is read, and counts every request with a key, including rejected
 * ones.
 */
export function registerKeys(app: FastifyInstance, deps: Pick<Deps, 'db' | 'log'>): void {
  const counter = makeKeyCounter(deps);
  app.addHook('onRequest', async (request) => {
    if (routeOf(request)?.auth === 'key') readKey(request);
  });
  app.addHook('onSend', async (request, reply) => {
    const key = known.get(request);
    if (key) await counter.count({ keyId: key.id, isError: reply.statusCode >= 400, address: request.ip });
  });
  app.addHook('onClose', () => counter.flush());
}

/** Finds the key of a request and checks that it may make the call. Throws what `requireUsable` does. */
export function registerKeyAuthorization(app: FastifyInstance, deps: Pick<Deps, 'db'>): void {
  app.addHook('onRequest', async (request) => {
    const { auth, scope } = routeOf(request) ?? {};
    if (auth !== 'key') return;
    const secret = readKey(request);
    setCaller(request, `key:${secret}`);
    const key = await getKeyBySecret(deps, secret);
    setCaller(request, `account:${key.accountId}`);
    known.set(request, key);
    noteAccess(request, { userId: key.accountId, keyId: key.id });
    try {
      requireUsable(key, { scope, address: request.ip });
    } catch (error) {
      throw await explainLapse(deps, error, key.accountId);
    }
  });
}
