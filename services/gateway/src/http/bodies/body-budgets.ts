import os from 'node:os';
import v8 from 'node:v8';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { LimitName } from '@uprez/contracts/policy/limit-names';
import { limits } from '@uprez/contracts/policy/limits';
import { type FairQueue, makeFairQueue } from '@uprez/domain/make-fair-queue';
import { reportLimit } from '@uprez/domain/report-limit';
import type { Metrics } from '@uprez/runtime/open-metrics';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { holderOf } from '../request-callers.ts';

const MB = 1024 * 1024;

/**
 * Budgets for request bodies: in memory (`memory`), in temporary files (`spool`), and in storage while they arrive
 * (`uploads`). `turns`: queue for the chunks to parse.
 */
type BodyBudgets = Record<'memory' | 'spool' | 'uploads', ByteBudget> & { turns: FairQueue };

/** Chunks parsed per iteration of the event loop. Kept low, because all other requests wait for each iteration. */
const chunksPerIteration = 1;
const halfLifeMs = 10_000;

/** Opens the budgets of the request bodies that this process holds. */
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
      // The storage quota already limits the uploads of an account.
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

/**
 * Returns the default budget: a part of the memory available to the process. The container, the machine, or
 * `--max-old-space-size` limits that memory.
 */
function defaultMemoryBytes(): number {
  const container = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const available = Math.min(container, os.totalmem(), v8.getHeapStatistics().heap_size_limit);
  return Math.min(limits.bodyMemoryBytes, Math.floor(available / limits.bodyMemoryParts));
}

/** Account and IP address that bytes count against. Visitors have no account. */
type ByteHolder = { account?: string | undefined; address: string };

type ByteBudgetOptions = {
  limitName: LimitName;
  totalBytes: number;
  accountBytes: number;
  addressBytes: number;
  /** For other requests to release bytes. */
  waitMs: number;
};

type ByteBudget = ReturnType<typeof makeByteBudget>;

type Share = readonly [key: string, most: number];
type PendingRequest = { shares: readonly Share[]; bytes: number; admit: (release: () => void) => void };

const totalKey = 'all';

/**
 * Limits the bytes that a process holds: in total, per account, and per IP address. Requests above a limit wait
 * briefly, in order. A request that exceeds the share of its account or address lets other requests pass. A request
 * that is larger than a share is admitted only while nothing else uses that share.
 */
export function makeByteBudget({ limitName, totalBytes, accountBytes, addressBytes, waitMs }: ByteBudgetOptions) {
  const sums = makeSums();
  const waiting = new Set<PendingRequest>();
  const sharesOf = ({ account, address }: ByteHolder): Share[] => [
    [`address ${address}`, addressBytes],
    ...(account === undefined ? [] : [[`account ${account}`, accountBytes] as const]),
  ];

  function take(shares: readonly Share[], bytes: number): () => void {
    const keys = [totalKey, ...shares.map(([key]) => key)];
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
      // Smaller requests must not pass this one indefinitely.
      if (!sums.fits([totalKey, totalBytes], next.bytes)) return;
      waiting.delete(next);
      next.admit(take(next.shares, next.bytes));
    }
  }

  return {
    /** Resolves with a function that releases the bytes. Throws `server_busy`. */
    hold: async (holder: ByteHolder, bytes: number): Promise<() => void> => {
      const { promise, resolve, reject } = withResolvers<() => void>();
      const next: PendingRequest = { shares: sharesOf(holder), bytes, admit: resolve };
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
    heldBytes: () => sums.of(totalKey),
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

export type Bodies = { bodies: BodyBudgets };

/** Returns the maximum size of a body: the declared size, up to `maxBytes`. */
export const maxBodyBytesOf = ({ headers }: FastifyRequest, maxBytes: number): number =>
  Math.min(Number(headers['content-length'] ?? maxBytes), maxBytes);

/** Reserves memory for `copies` copies of a body of at most `maxBytes` until `task` ends. Throws `server_busy`. */
export async function withReservedMemory<T>(
  { bodies }: Bodies,
  { request, maxBytes, copies = 2 }: { request: FastifyRequest; maxBytes: number; copies?: number },
  task: () => Promise<T>,
): Promise<T> {
  const release = await bodies.memory.hold(holderOf(request), copies * maxBodyBytesOf(request, maxBytes));
  return task().finally(release);
}
