import os from 'node:os';
import v8 from 'node:v8';
import { limits } from '@uprez/contracts/policy/limits';
import { type FairQueue, makeFairQueue } from '@uprez/domain/make-fair-queue';
import type { Metrics } from '@uprez/runtime/open-metrics';
import type { Config } from '../../config.ts';
import { type ByteBudget, makeByteBudget } from './make-byte-budget.ts';

const MB = 1024 * 1024;

/**
 * `memory`: bodies in memory. `spool`: bodies in temporary files. `uploads`: bodies that are stored while they arrive. `turns`:
 * of the chunks that are parsed.
 */
export type BodyBudgets = Record<'memory' | 'spool' | 'uploads', ByteBudget> & { turns: FairQueue };

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
export function defaultMemoryBytes(): number {
  const container = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const available = Math.min(container, os.totalmem(), v8.getHeapStatistics().heap_size_limit);
  return Math.min(limits.bodyMemoryBytes, Math.floor(available / limits.bodyMemoryParts));
}
