import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { jobFiles, variantFile } from '@uprez/contracts/schemas/child-messages';
import { abandonObjects } from '@uprez/domain/media/abandon-objects';
import { failVariants, returnVariants, type VariantWork } from '@uprez/domain/media/variants/claim-variants';
import { beginVariants, completeVariants } from '@uprez/domain/media/variants/complete-variants';
import type { Deps } from './deps.ts';
import type { JobFolders } from './job-folders.ts';
import { resizeImage } from './resize-image.ts';

type Claimed = { work: VariantWork; folders: JobFolders; signal: AbortSignal; stopping: AbortSignal };

/** Makes the WebP versions of an image of the media library: fetches it, resizes it in a child, and stores the results. */
export async function processMedia(deps: Deps, { work, folders, signal, stopping }: Claimed): Promise<void> {
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

type Finished = { work: VariantWork; dir: string; signal: AbortSignal };

async function storeVariants(deps: Deps, { work, dir, signal }: Finished): Promise<boolean> {
  const begun = await beginVariants(deps, work);
  const puts = begun.map(async (object) => {
    const file = createReadStream(path.join(dir, variantFile(object.width)));
    return { ...object, ...(await deps.storage.put(object.key, file, { signal })) };
  });
  // When one fails, the others still write.
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
