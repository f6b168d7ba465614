import os from 'node:os';
import v8 from 'node:v8';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { LimitName } from '@uprez/contracts/policy/limit-names';
import { limits } from '@uprez/contracts/policy/limits';
import { type FairQueue, makeFairQueue } from '@uprez/domain/make-fair-queue';
import { reportLimit } from '@uprez/domain/report-limit';
import type { Metrics } from '@uprez/runtime/open-metrics';
import type { Config } from '../../config.ts';

const MB = 1024 * 1024;

/**
 * `memory`: bodies in memory. `spool`: bodies in temporary files. `uploads`: bodies that are stored while they arrive. `turns`:
 * of the chunks that are parsed.
 */
type BodyBudgets = Record<'memory' | 'spool' | 'uploads', ByteBudget> & { turns: FairQueue };

/** In one iteration of the event loop, for which all other requests wait. */
const chunksPerIteration = 1;
const halfLifeMs = 10_000;

/** What this process holds of request bodies at once. */
export function openBodyBudgets(
  { BODY_MEMORY_MB, SPOOL_MB }: Pick<Config, 'BODY_MEMORY_MB' | 'SPOOL_MB'>,
  metrics: Pick<Metrics, 'gauge'>,
): BodyBudgets {
  const waitMs = 1_000 * limits.bodyWaitSeconds;
  const open = (limitName: 'body_memory' | 'body_spool', totalBytes: number) =>
    makeByteBudget({
      limitName,
      totalBytes,
      accountBytes: totalBytes / limits.accountBodyShares,
      addressBytes: totalBytes / limits.addressBodyShares,
      waitMs,
    });
  const budgets = {
    memory: open('body_memory', BODY_MEMORY_MB === undefined ? defaultMemoryBytes() : BODY_MEMORY_MB * MB),
    spool: open('body_spool', SPOOL_MB * MB),
    uploads: makeByteBudget({
      limitName: 'address_uploads',
      totalBytes: Number.POSITIVE_INFINITY,
      // Storage limits what an account has.
      accountBytes: Number.POSITIVE_INFINITY,
      addressBytes: limits.addressUploadBytes,
      waitMs,
    }),
  };
  metrics.gauge({ name: 'body_bytes', help: 'Bytes held for request bodies, by place.', labels: ['place'] }, () =>
    Object.entries(budgets).map(([place, { heldBytes }]) => ({ labels: { place }, value: heldBytes() })),
  );
  return { ...budgets, turns: makeFairQueue({ slots: chunksPerIteration, halfLifeMs }) };
}

/** A part of the memory that the process may use: of the container, the machine, or `--max-old-space-size`. */
function defaultMemoryBytes(): number {
  const container = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const available = Math.min(container, os.totalmem(), v8.getHeapStatistics().heap_size_limit);
  return Math.min(limits.bodyMemoryBytes, Math.floor(available / limits.bodyMemoryParts));
}

/** Whose bytes they are. Visitors have no account. */
type Holder = { account?: string | undefined; address: string };

type ByteBudgetOptions = {
  limitName: LimitName;
  totalBytes: number;
  accountBytes: number;
  addressBytes: number;
  /** Longest wait for bytes that others hold. */
  waitMs: number;
};

type ByteBudget = ReturnType<typeof makeByteBudget>;

type Share = readonly [key: string, most: number];
type Waiting = { shares: readonly Share[]; bytes: number; admit: (release: () => void) => void };

const total = 'all';

/**
 * Bytes that a process holds at once, of all holders and of each account and IP address. Requests for more wait briefly,
 * in order, except that those above their own share let others pass. Something larger than a share is held alone.
 */
export function makeByteBudget({ limitName, totalBytes, accountBytes, addressBytes, waitMs }: ByteBudgetOptions) {
  const sums = makeSums();
  const waiting = new Set<Waiting>();
  const sharesOf = ({ account, address }: Holder): Share[] => [
    [`address ${address}`, addressBytes],
    ...(account === undefined ? [] : [[`account ${account}`, accountBytes] as const]),
  ];

  function take(shares: readonly Share[], bytes: number): () => void {
    const keys = [total, ...shares.map(([key]) => key)];
    for (const key of keys) sums.add(key, bytes);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const key of keys) sums.add(key, -bytes);
      admitWaiting();
    };
  }

  function admitWaiting(): void {
    for (const next of waiting) {
      if (!next.shares.every((share) => sums.fits(share, next.bytes))) continue;
      // Smaller ones must not pass forever.
      if (!sums.fits([total, totalBytes], next.bytes)) return;
      waiting.delete(next);
      next.admit(take(next.shares, next.bytes));
    }
  }

  return {
    /** Resolves with a function that gives the bytes back. Throws `server_busy`. */
    hold: async (holder: Holder, bytes: number): Promise<() => void> => {
      const { promise, resolve, reject } = withResolvers<() => void>();
      const next: Waiting = { shares: sharesOf(holder), bytes, admit: resolve };
      waiting.add(next);
      admitWaiting();
      if (!waiting.has(next)) return promise;
      reportLimit(limitName);
      const timer = setTimeout(() => {
        waiting.delete(next);
        admitWaiting();
        reject(new AppError('server_busy'));
      }, waitMs);
      return promise.finally(() => clearTimeout(timer));
    },
    /** Bytes held by all. */
    heldBytes: () => sums.of(total),
  };
}

function makeSums() {
  const sums = new Map<string, number>();
  const of = (key: string) => sums.get(key) ?? 0;
  return {
    of,
    fits: ([key, most]: Share, bytes: number) => of(key) === 0 || of(key) + bytes <= most,
    add: (key: string, bytes: number) => {
      const sum = of(key) + bytes;
      if (sum > 0) sums.set(key, sum);
      else sums.delete(key);
    },
  };
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: Error) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
