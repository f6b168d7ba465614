import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@uprez/contracts/errors/app-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { claimItemToFetch as takeRow } from '@uprez/db/queries/jobs/items-to-fetch';
import type { Actor } from '../actor.ts';
import { failItem, isImageError } from '../batches/cancel-batch.ts';
import { getBatchItem, type OwnItem } from '../batches/get-batch.ts';
import type { Needs } from '../context.ts';
import { openFreeShare } from '../open-free-share.ts';
import { reportLimit, reportLimitOf } from '../report-limit.ts';
import type { FetchInput } from '../uploads/begin-upload.ts';
import { acceptFile, type FileContext } from './accept-files.ts';
import type { FetchSignal } from './announce-batch.ts';
import type { Upload } from './prepare-upload.ts';

export type ItemFetcher = { close: () => Promise<void> };
type FetchContext = FileContext & FetchSignal & { fetchImage: (actor: Actor, wanted: FetchInput) => Promise<Upload> };

/** Polling interval for items that another gateway created but hasn't fetched, in milliseconds. */
const pollMs = 5_000;

/**
 * Starts fetching the images of batches by their URLs. After this gateway stops, any other gateway continues with the
 * remaining images.
 */
export function openItemFetcher(ctx: FetchContext): ItemFetcher {
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const claims = openFreeShare(limits.freeFetchSlots, (withFree) => takeItemToFetch(ctx, { withFree }));
  const fetchAll = async () => {
    while (!closing.signal.aborted) {
      const next = await claims.next();
      if (!next) return;
      // Starts a concurrent fetch, because more items may be waiting.
      start();
      await fetchItem(ctx, next, closing.signal).finally(() => claims.release(next));
    }
  };
  const start = () => {
    if (closing.signal.aborted) return;
    if (running.size >= limits.itemFetchSlots) return reportLimit('fetch_slots');
    const run = fetchAll()
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'batch items could not be fetched'))
      .finally(() => running.delete(run));
    running.add(run);
  };
  // Bound to this context. Otherwise, items from many accounts would be fetched in the async context of the request
  // that emitted the event.
  const onItem = AsyncLocalStorage.bind(start);
  ctx.toFetch.on('item', onItem);
  const timer = setInterval(start, pollMs);
  start();
  return {
    close: async () => {
      clearInterval(timer);
      ctx.toFetch.off('item', onItem);
      closing.abort();
      await Promise.all(running);
    },
  };
}

/** Permanent errors fail the item; other errors are retried. */
async function fetchItem(
  ctx: FetchContext,
  { actor, own, url, isLast }: ItemToFetch,
  signal: AbortSignal,
): Promise<void> {
  try {
    const receive = async () => {
      // Checked before the fetch, because an image that may not be processed must not be fetched either.
      await ctx.freeWork.spend(actor, { seconds: 0, batchId: own.batch.id });
      return ctx.fetchImage(actor, { url, signal });
    };
    await acceptFile(ctx, { actor, own, receive });
  } catch (error) {
    if (signal.aborted) return;
    const failure = error instanceof AppError ? error : new AppError('internal', { cause: error });
    reportLimitOf(failure);
    if (isImageError(failure)) return;
    if (errorCodes[failure.code].report) ctx.log.warn({ err: error, itemId: own.item.id }, 'image fetch failed');
    if (errorCodes[failure.code].retry && !isLast) return;
    if (errorCodes[failure.code].retry) reportLimit('fetch_attempts');
    await failItem(ctx, own, failure);
  }
}

/**
 * `isLast`: whether the item fails if this fetch fails, too. `isFree`: whether the item belongs to a free plan or the
 * sandbox.
 */
export type ItemToFetch = { actor: Actor; own: OwnItem; url: string; isLast: boolean; isFree: boolean };

/** Longer than it takes to fetch and inspect an image. */
const leaseS = 2 * limits.fetchSeconds;

/**
 * Claims an item with an image to fetch. Returns undefined if no item is available. `withFree`: whether to include
 * items from free plans and the sandbox.
 */
export async function takeItemToFetch(
  ctx: Needs<'db'>,
  { withFree }: { withFree: boolean },
): Promise<ItemToFetch | undefined> {
  const item = await takeRow(ctx.db, { leaseS, perAccount: limits.accountFetchSlots, withFree });
  if (!item) return undefined;
  const { accountId, apiKeyId, isSandbox, batchId: id, id: itemId } = item;
  const actor: Actor = {
    accountId,
    plan: planOf(item),
    ...(apiKeyId !== null && { key: { id: apiKeyId, isSandbox } }),
  };
  const own = await getBatchItem(ctx, { actor, id, itemId });
  return { actor, own, url: item.imageUrl, isLast: item.fetches >= limits.itemFetches, isFree: item.isFree };
}
