import { widthsOf } from '@uprez/contracts/policy/images/media';
import { findOriginal } from '@uprez/db/queries/media/media-files';
import { claimMedia, failAttempt, releaseMedia, type VariantAttempt } from '@uprez/db/queries/media/variant-claims';
import type { Needs } from '../../context.ts';

/** An image whose WebP variants a worker creates, and the location of its original. */
export type VariantWork = VariantAttempt & { widths: number[]; original: { key: string; sha256: string } };

const maxFailures = 3;
/** An image claimed more often crashes workers, or storage was unavailable for 2 hours. Administrators can retry it. */
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
    return { ...key, widths: widthsOf(width), original: { key: original.key, sha256: original.sha256 } };
  await failVariants({ db }, key, { isLast: true });
  return claimVariants({ db }, leaseS);
}

/** Counts a failed attempt. The last attempt fails the image. */
export const failVariants = (
  { db }: Needs<'db'>,
  { mediaId, version, attempt }: VariantAttempt,
  { isLast }: { isLast: boolean },
): Promise<void> => failAttempt(db, { mediaId, version, attempt, pauseS, maxFailures: isLast ? 1 : maxFailures });

/**
 * Releases an image without counting a failure, such as when the worker stops or storage is unavailable. Delays double
 * up to 5 minutes.
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
