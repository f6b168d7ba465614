import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import { jobFiles, type MessageFromChild, variantFile } from '@uprez/contracts/schemas/jobs/child-messages';
import { abandonObjects } from '@uprez/domain/media/store-file';
import {
  beginVariants,
  claimVariants,
  completeVariants,
  failVariants,
  returnVariants,
  type VariantWork,
} from '@uprez/domain/media/variants';
import { linkSignals } from '@uprez/runtime/link-signals';
import { openPixelChild } from '@uprez/runtime/open-pixel-child';
import { repeat } from '@uprez/runtime/repeat';
import type { Deps } from './deps.ts';
import type { JobFolders } from './job-folders.ts';

const pollMs = 1_000;
/**
 * Duration of the lease on an image. After that, another worker can claim the image. This worker stops earlier, after
 * `workMs`.
 */
const leaseS = 180;
const workMs = 150_000;

/**
 * Creates the WebP versions of images in the media library, one image at a time, in addition to the job slots. Polls
 * PostgreSQL every second. Claims no images while `mayClaim` returns false.
 */
export function openMediaConsumer(
  deps: Deps,
  folders: JobFolders,
  mayClaim: () => boolean,
): { close: () => Promise<void> } {
  const stopping = new AbortController();
  const work = async () => {
    while (!stopping.signal.aborted && mayClaim()) {
      const claimed = await claimVariants(deps, leaseS);
      if (!claimed) return;
      const { signal, release } = linkSignals(stopping.signal, AbortSignal.timeout(workMs));
      await processMedia(deps, { work: claimed, folders, signal, stopping: stopping.signal }).finally(release);
    }
  };
  const polling = repeat(pollMs, work, (error) => deps.log.warn({ err: error }, 'claiming images failed'));
  return {
    /** Returns an image in progress to the queue instead of finishing it, because repeating the work is cheap. */
    close: async () => {
      stopping.abort();
      await polling.close();
    },
  };
}

type ClaimedMedia = { work: VariantWork; folders: JobFolders; signal: AbortSignal; stopping: AbortSignal };

/**
 * Creates the WebP versions of an image in the media library: fetches it, resizes it in a child, and stores the
 * results.
 */
async function processMedia(deps: Deps, { work, folders, signal, stopping }: ClaimedMedia): Promise<void> {
  const { mediaId, version, attempt, widths, original } = work;
  const about = { mediaId, version, attempt };
  const folder = await folders.make(`media-${mediaId}-${version}-${attempt}`);
  try {
    const fetched = await deps.storage.get(original.key, { signal, sha256: original.sha256 });
    const source = path.join(folder.dir, jobFiles.source);
    await pipeline(fetched.stream, createWriteStream(source, { mode: 0o644 }), { signal });
    const code = await resizeImage(deps, { dir: folder.dir, widths, signal });
    signal.throwIfAborted();
    if (code === undefined) {
      const isKept = await storeVariants(deps, { work, dir: folder.dir, signal });
      deps.log.info(about, isKept ? 'image versions stored' : 'image versions not needed any more');
      return;
    }
    deps.log.warn({ ...about, code }, 'image versions failed');
    await failVariants(deps, work, { isLast: code === 'corrupt_image' });
  } catch (error) {
    deps.log.warn({ err: error, ...about }, 'image versions interrupted');
    const isGone = error instanceof AppError && error.code === 'not_found';
    if (isGone) await failVariants(deps, work, { isLast: true });
    else await returnVariants(deps, work, { stopping: stopping.aborted });
  } finally {
    await folder.remove();
  }
}

type StoreVariantsInput = { work: VariantWork; dir: string; signal: AbortSignal };

async function storeVariants(deps: Deps, { work, dir, signal }: StoreVariantsInput): Promise<boolean> {
  const begun = await beginVariants(deps, work);
  const puts = begun.map(async (object) => {
    const file = createReadStream(path.join(dir, variantFile(object.width)));
    return { ...object, ...(await deps.storage.put(object.key, file, { signal })) };
  });
  // Waits for all uploads, because if one fails, the others are still running.
  await Promise.allSettled(puts);
  try {
    const isKept = await completeVariants(deps, work, await Promise.all(puts));
    if (!isKept) await abandonObjects(deps, begun);
    return isKept;
  } catch (error) {
    await abandonObjects(deps, begun);
    throw error;
  }
}

const module = createRequire(import.meta.url).resolve('@uprez/imaging/variants/child');
const readyMs = 20_000;
const maxMs = 90_000;

type Work = { dir: string; widths: readonly number[]; signal: AbortSignal };

/**
 * Writes the WebP versions of the image in a folder, in a separate child process. Returns the error code if the image
 * can't be processed. Kills the child if it takes more than 90 s, if it uses too much memory, or if the signal aborts.
 */
async function resizeImage(
  { jail, log }: Pick<Deps, 'jail' | 'log'>,
  { dir, widths, signal }: Work,
): Promise<ErrorCode | undefined> {
  let answer: (message: MessageFromChild) => void = () => {};
  const answered = new Promise<MessageFromChild>((resolve) => {
    answer = resolve;
  });
  const child = await openPixelChild({
    ...{ jail, module, readyMs, options: {}, memoryBytes: limits.childMemoryBytes, onMessage: (one) => answer(one) },
    onLog: (line) => log.warn({ line }, 'child of the media library wrote to stderr'),
  });
  const timer = setTimeout(() => child.kill('processing_timeout'), maxMs);
  const stop = () => child.kill('processing_crashed');
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    child.send({ type: 'resize', runId: randomUUID(), dir, widths: [...widths] });
    const message = await Promise.race([answered, child.exited]);
    if (typeof message === 'string') return message;
    if (message.type === 'resized') return undefined;
    return message.type === 'failed' ? message.code : 'processing_crashed';
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    child.kill('processing_crashed');
    await child.exited;
  }
}
