import { BlockList, isIP } from 'node:net';
import { AppError } from '@uprez/contracts/errors/app-error';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { type KeyScope, keyScopes, type ServiceScope } from '@uprez/contracts/schemas/api-keys';
import {
  addKeyCalls,
  findApiKeyByHash,
  findServiceKeyByHash,
  type KeyCalls,
  type KeyWithAccount,
  type ServiceKeyRow,
} from '@uprez/db/queries/api-keys/api-keys';
import type { Needs } from '../context.ts';
import { requireApiPlan } from './create-api-key.ts';
import { hashKeySecret, isKeySecret } from './key-secret.ts';

export type CallerKey = KeyWithAccount;

/** Throws `bad_api_key` if a key is malformed. Doesn't query the database. */
export function requireKeyShape(secret: string): void {
  if (!isKeySecret(secret)) throw new AppError('bad_api_key');
}

/** Returns the key that has this secret, along with the key's account. Throws `bad_api_key`. */
export async function getKeyBySecret(ctx: Needs<'db'>, secret: string): Promise<KeyWithAccount> {
  requireKeyShape(secret);
  const key = await findApiKeyByHash(ctx.db, hashKeySecret(secret));
  if (!key) throw new AppError('bad_api_key');
  return key;
}

type KeyUse = { scope: KeyScope | ServiceScope | undefined; address: string };

/**
 * Checks that a key is allowed to make a call. Throws `bad_api_key`, `address_not_allowed`, `plan_feature`, or
 * `wrong_scope`.
 */
export function requireUsableKey(key: KeyWithAccount, { scope, address }: KeyUse): void {
  if (key.suspendedAt)
    throw new AppError('bad_api_key', {
      detail: 'Unauthorized: this account is suspended.',
      hint: 'Contact support.',
    });
  if (!key.isActive)
    throw new AppError('bad_api_key', {
      detail: 'Unauthorized: this API key is inactive.',
      hint: 'Activate it on the "API Keys" page, or use another key.',
    });
  if (key.isExpired) throw new AppError('bad_api_key', { detail: 'Unauthorized: this API key has expired.' });
  if (!isAddressAllowed(key.addresses, address)) throw new AppError('address_not_allowed');
  requireApiPlan(planOf(key), key.kind);
  requireScope(key, scope);
}

/**
 * Throws `wrong_scope` if a key doesn't have the required scope. If no scope is required, any account scope is enough,
 * but a service scope isn't.
 */
export function requireScope({ scopes }: Pick<KeyWithAccount, 'scopes'>, scope: KeyUse['scope']): void {
  const accepted: readonly string[] = scope === undefined ? keyScopes : [scope];
  if (scopes.some((one) => accepted.includes(one))) return;
  if (scope === undefined) throw new AppError('wrong_scope', { detail: "This API key can't be used here." });
  throw new AppError('wrong_scope', { detail: `This API key doesn't have the "${scope}" scope.`, meta: { scope } });
}

const addressFamilyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether a list of IP addresses and networks (CIDR) includes an IP address. An empty list allows all. */
export function isAddressAllowed(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true;
  // A link-local address may end with `%` and the name of its interface.
  const [plain = ''] = address.split('%');
  if (isIP(plain) === 0) return false;
  const list = new BlockList();
  for (const network of networks) {
    const [start = '', length] = network.split('/');
    if (length === undefined) list.addAddress(start, addressFamilyOf(start));
    else list.addSubnet(start, Number(length), addressFamilyOf(start));
  }
  return list.check(plain, addressFamilyOf(plain));
}

type ServiceKey = ServiceKeyRow;

const inactiveKeyMessage = {
  detail: 'Unauthorized: this API key is inactive.',
  hint: 'Activate it on the page "API Keys" of the back office, or use another key.',
};

/** Returns the service key that has this secret. Throws `bad_api_key`. */
export async function getServiceKey(ctx: Needs<'db'>, secret: string): Promise<ServiceKey> {
  const key = await findServiceKeyByHash(ctx.db, hashKeySecret(secret));
  if (!key) throw new AppError('bad_api_key');
  return key;
}

/** Throws `bad_api_key` for an inactive key. */
export function requireActive({ isActive }: ServiceKey): void {
  if (!isActive) throw new AppError('bad_api_key', inactiveKeyMessage);
}

type KeyCall = { keyId: string; isError: boolean; address: string };
type KeyCounter = {
  /**
   * Counts one call. Resolves after the count has been written, or after the attempt to write it failed. Never throws.
   */
  count: (call: KeyCall) => Promise<void>;
  /** Resolves after all pending counts have been written, or after the attempt to write them failed. */
  flush: () => Promise<void>;
};

/**
 * Counts calls by key. `count` resolves after its call has been written. Calls that arrive while a write is running are
 * all written by the next one. While PostgreSQL is unavailable, counts are kept in memory.
 */
export function makeKeyCounter(ctx: Needs<'db' | 'log'>): KeyCounter {
  const waiting = new Map<string, KeyCalls>();
  const writing = new Map<string, Promise<void>>();

  const add = ({ keyId, calls, errors, address }: KeyCalls) => {
    const before = waiting.get(keyId) ?? { calls: 0, errors: 0 };
    waiting.set(keyId, { keyId, calls: before.calls + calls, errors: before.errors + errors, address });
  };
  const write = async (keyId: string) => {
    const calls = waiting.get(keyId);
    if (!calls) return;
    waiting.delete(keyId);
    try {
      await addKeyCalls(ctx.db, calls);
    } catch (error) {
      add(calls);
      ctx.log.warn({ err: error, keyId }, 'counting API calls failed, will retry');
    }
  };
  const writeNext = (keyId: string): Promise<void> => {
    const next = (writing.get(keyId) ?? Promise.resolve()).then(() => write(keyId));
    writing.set(keyId, next);
    return next.finally(() => writing.get(keyId) === next && writing.delete(keyId));
  };
  return {
    count: ({ keyId, isError, address }) => {
      add({ keyId, calls: 1, errors: isError ? 1 : 0, address });
      return writeNext(keyId);
    },
    flush: async () => {
      await Promise.all([...new Set([...waiting.keys(), ...writing.keys()])].map(writeNext));
    },
  };
}
