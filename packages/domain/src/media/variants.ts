import { listMediaWidths } from '@uprez/contracts/policy/images/media';
import { insertObjects, markObjectStored } from '@uprez/db/queries/jobs/objects';
import { findOriginal, insertMediaFiles } from '@uprez/db/queries/media/media-files';
import {
  claimMedia,
  failAttempt,
  finishMedia,
  releaseMedia,
  type VariantAttempt,
} from '@uprez/db/queries/media/variant-claims';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';

export type VariantWork = VariantAttempt & { widths: number[]; original: { key: string; sha256: string } };

const maxFailures = 3;
/** An image that exceeds it has crashed workers repeatedly, or storage was unavailable for 2 hours. */
const maxClaims = 30;
const pauseS = 5;
const maxPauseS = 300;

/** Claims the next image for `leaseS` seconds. Returns undefined if there is none. */
export async function claimVariants({ db }: Needs<'db'>, leaseS: number): Promise<VariantWork | undefined> {
  const claimed = await claimMedia(db, leaseS);
  if (!claimed) return undefined;
  const { id: mediaId, version, attempt, width } = claimed;
  const key = { mediaId, version, attempt };
  const original = await findOriginal(db, { mediaId, version });
  if (original?.sha256 && width !== null && attempt <= maxClaims)
    return { ...key, widths: listMediaWidths(width), original: { key: original.key, sha256: original.sha256 } };
  await failVariants({ db }, key, { isLast: true });
  return claimVariants({ db }, leaseS);
}

/** Counts a failed attempt. Fails the image after `maxFailures` attempts, or immediately if `isLast` is true. */
export const failVariants = (
  { db }: Needs<'db'>,
  { mediaId, version, attempt }: VariantAttempt,
  { isLast }: { isLast: boolean },
): Promise<void> => failAttempt(db, { mediaId, version, attempt, pauseS, maxFailures: isLast ? 1 : maxFailures });

/**
 * Releases an image without counting a failure, such as when the worker is stopping or storage is unavailable. Unless
 * the worker is stopping, the delay before the next claim doubles with each attempt, up to 5 minutes.
 */
export const returnVariants = (
  { db }: Needs<'db'>,
  { mediaId, version, attempt }: VariantAttempt,
  { stopping }: { stopping: boolean },
): Promise<void> =>
  releaseMedia(db, {
    ...{ mediaId, version, attempt },
    pauseS: stopping ? 0 : Math.min(maxPauseS, pauseS * 2 ** (attempt - 1)),
  });

type BegunVariant = { id: string; key: string; width: number };
type Stored = BegunVariant & { sizeBytes: number; sha256: string };

/** Inserts the object rows of the WebP variants before they are written. */
export async function beginVariants(
  { db }: Needs<'db'>,
  { widths }: Pick<VariantWork, 'widths'>,
): Promise<BegunVariant[]> {
  const begun = widths.map((width) => {
    const id = uuidv7();
    return { id, key: objectKeys.media(id), width };
  });
  await insertObjects(
    db,
    begun.map(({ id, key }) => ({ id, key, kind: 'media' as const })),
  );
  return begun;
}

/**
 * Adds the WebP variants to their image. Returns false if the image was replaced in the meantime or claimed by another
 * worker.
 */
export const completeVariants = (
  { db }: Needs<'db'>,
  { mediaId, version, attempt }: VariantWork,
  stored: readonly Stored[],
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    if (!(await finishMedia(tx, { mediaId, version, attempt }))) return false;
    for (const file of stored) {
      if (!(await markObjectStored(tx, file)))
        throw new Error(`The object ${file.id} was deleted before it was stored.`);
    }
    const rows = stored.map(({ id, width }) => ({ mediaId, version, width, format: 'webp', objectId: id }));
    await insertMediaFiles(tx, rows);
    return true;
  });
