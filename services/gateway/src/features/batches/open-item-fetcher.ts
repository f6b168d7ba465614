import { AppError } from '@uprez/contracts/errors/app-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { failItem, isFileFault } from '@uprez/domain/batches/fail-item';
import { type ToFetch, takeItemToFetch } from '@uprez/domain/batches/take-item-to-fetch';
import type { Deps } from '../../deps.ts';
import { acceptFile } from '../uploads/accept-file.ts';
import { fetchImage } from '../uploads/receive-image.ts';

export type ItemFetcher = { close: () => Promise<void> };

/** Images that one gateway fetches at once. */
const lanes = 4;
/** What another gateway has announced and not fetched is looked for so often. */
const lookMs = 5_000;

/**
 * Fetch the images of batches that are named by their addresses, as long as there are any. What a gateway that ends
 * was at is taken up by another one, or by the next.
 */
export function openItemFetcher(deps: Deps): ItemFetcher {
  const closing = new AbortController();
  const working = new Set<Promise<void>>();
  const runLane = async () => {
    while (!closing.signal.aborted) {
      const next = await takeItemToFetch(deps);
      if (!next) return;
      // There may be more of them than this lane can do.
      look();
      await fetchItem(deps, next, closing.signal);
    }
  };
  const look = () => {
    if (working.size >= lanes || closing.signal.aborted) return;
    const lane = runLane()
      .catch((error: unknown) => deps.log.warn({ err: error }, 'images of batches could not be fetched'))
      .finally(() => working.delete(lane));
    working.add(lane);
  };
  deps.toFetch.on('item', look);
  const timer = setInterval(look, lookMs);
  look();
  return {
    close: async () => {
      clearInterval(timer);
      deps.toFetch.off('item', look);
      closing.abort();
      await Promise.all(working);
    },
  };
}

/** Fetch one image and make a job of it. What would be no better another time fails its item; all else is tried again. */
async function fetchItem(deps: Deps, { actor, own, url, isLast }: ToFetch, signal: AbortSignal): Promise<void> {
  try {
    await acceptFile(deps, actor, { own, receive: () => fetchImage(deps, actor, { url, signal }) });
  } catch (error) {
    if (signal.aborted || (error instanceof AppError && isFileFault(error))) return;
    const failure = error instanceof AppError ? error : new AppError('internal', { cause: error });
    if (errorCodes[failure.code].report) deps.log.warn({ err: error, itemId: own.item.id }, 'an image was not fetched');
    if (errorCodes[failure.code].retry && !isLast) return;
    await failItem(deps, { actor, batchId: own.batch.id, itemId: own.item.id, error: failure });
  }
}
