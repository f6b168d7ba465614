import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import { formatWait } from '@uprez/contracts/texts/format';
import { LRUCache } from 'lru-cache';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** What lookups throw for a secret that doesn't exist. */
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
 * `sort`: what the secret is for. Each sort is counted on its own. `isSigned`: only this service can have made it, so it isn't
 * counted.
 */
export type Secret = { sort: string; secret: string; isSigned?: boolean };

type Lookup<T> = {
  /** The IP prefix of the client. */
  prefix: string;
  find: () => Promise<T>;
  /** The caller that the found row is of. Undefined: secrets of this sort have none. */
  callerOf: ((found: T) => string) | undefined;
  /** Called with the caller that takes the turns of the lookup, and with the one that it found. */
  onCaller: (caller: string | undefined) => void;
};

export type SecretChecks = ReturnType<typeof openSecretChecks>;

type Options = { scale: number; delayMs?: number; now?: () => number };

/** Budgets of unknown secrets, which fill up gradually. */
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
    /** Throws `rate_limited`. */
    take: async (key: string): Promise<void> => {
      const left = readLeft(key);
      if (left >= 1) return add(key, -1);
      // Clients that wait for the response send fewer requests.
      await pause(delayMs);
      const retryAfterS = Math.max(1, Math.ceil(((1 - left) * minuteMs) / perMinute / 1_000));
      const detail = `Too many unknown keys or links from your network. Try again ${formatWait(retryAfterS)}.`;
      const meta = { limit: perMinute, retryAfterS };
      throw new AppError('rate_limited', { detail, meta, limitName: 'unknown_secrets' });
    },
  };
}

/**
 * Opens the lookups of secrets that clients send. Each one that doesn't exist counts for the IP prefix of its client. Above the
 * limit, only secrets that were right in the last days are looked up, so that others of the same network aren't rejected.
 */
export function openSecretChecks(options: Options) {
  const budgets = makeBudgets(options);
  const max = limits.keptSecrets;
  const known = new LRUCache<string, { caller: string | undefined }>({
    max,
    ttl: limits.knownSecretDays * dayMs,
  });
  const unknown = new LRUCache<string, AppError>({ max, ttl: limits.unknownSecretSeconds * 1_000 });
  /** The first lookups of secrets, which end without an error. */
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
    // Counted before the lookup, as many may run at once.
    await budgets.take(budget);
    return look(hash, lookup).finally(() => {
      if (!unknown.has(hash)) budgets.giveBack(budget);
    });
  }

  return {
    /** Returns what a secret is for. Throws what `find` does, and `rate_limited`. */
    find: async <T>(secret: Secret, lookup: Lookup<T>): Promise<T> => {
      const hash = createHash('sha256').update(`${secret.sort} ${secret.secret}`).digest('base64');
      // Requests with the same secret at once count as one, and one of them looks again after an error.
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
