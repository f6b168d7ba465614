import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import { formatWait } from '@uprez/contracts/texts/format';
import { LRUCache } from 'lru-cache';

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
export type Secret = { sort: string; secret: string; isSigned?: boolean };

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

export type SecretChecks = ReturnType<typeof openSecretChecks>;

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
