import { AppError } from '@uprez/contracts/errors/app-error';
import { imageUrlRules } from '@uprez/contracts/policy/images/image-urls';
import {
  type CachedImage,
  findCachedImage,
  findImageAccount,
  type ImageAccount,
} from '@uprez/db/queries/image-urls/image-url-results';
import type { Needs } from '../context.ts';
import { makeRecentReads } from '../make-recent-reads.ts';

/**
 * `stored`: the result can be sent and cached for `maxAgeS` seconds. `renew`: the result can be sent, but the original
 * must be fetched again. `claimed`: another request is fetching the original. `running`: a job is making the result.
 * `missing`: no result exists, and nothing is making one.
 */
type ImageState =
  | { name: 'stored'; maxAgeS: number }
  | { name: 'running'; jobId: string }
  | { name: 'renew' | 'claimed' | 'missing' };

/**
 * Returns the state of a cached image. If the last attempt failed a short time ago, throws its error. Throws
 * `result_expired` if the owner deleted the result.
 */
export function readImageState(image: CachedImage): ImageState {
  const { jobId, status, isClaimed } = image;
  if (image.objectId) return toStoredState(image);
  if (isClaimed) return { name: 'claimed' };
  if (jobId && (status === 'queued' || status === 'processing')) return { name: 'running', jobId };
  if (image.errorCode && image.retryS > 0)
    throw new AppError(image.errorCode, {
      limitName: null,
      ...(image.errorCode === 'rate_limited' && { meta: { retryAfterS: Math.ceil(image.retryS) } }),
      ...(image.errorDetail && { detail: image.errorDetail }),
    });
  if (hasEndedBadly(image) && (image.endedS ?? 0) < imageUrlRules.failureSeconds)
    throw new AppError(image.jobErrorCode ?? 'internal', {
      // Null, because the limit was already counted when the job failed.
      limitName: null,
      ...(image.jobErrorDetail && { detail: image.jobErrorDetail }),
    });
  if (status === 'expired' && image.isKept)
    throw new AppError('result_expired', {
      detail: 'The owner deleted this image. It can be made again a day after it was made.',
      limitName: null,
    });
  return { name: 'missing' };
}

export const mustFetchOriginal = ({ name }: ImageState): boolean => name === 'renew' || name === 'missing';

const isFresh = ({ objectId, freshS }: CachedImage): boolean => objectId !== null && freshS > 0;

function toStoredState(image: CachedImage): ImageState {
  if (isFresh(image)) return { name: 'stored', maxAgeS: image.freshS };
  return image.isClaimed ? { name: 'stored', maxAgeS: imageUrlRules.failureSeconds } : { name: 'renew' };
}

const hasEndedBadly = ({ status }: CachedImage) => status === 'failed' || status === 'cancelled';

/**
 * Returns the ID of the job that a new job replaces because it failed, was canceled, or its result's retention has
 * ended. Such a result may still exist: it is deleted a little later, when the job becomes `expired`. Undefined if no
 * job is replaced.
 */
export const findReplacedJob = (image: CachedImage): string | undefined => {
  const wasKept = (image.status === 'completed' || image.status === 'expired') && !image.isKept;
  return image.jobId && (hasEndedBadly(image) || wasKept) ? image.jobId : undefined;
};

export const makeImageNotReadyError = (): AppError =>
  new AppError('image_not_ready', { meta: { retryAfterS: imageUrlRules.retrySeconds } });

/**
 * How long reads are cached, in milliseconds. Within this time, changed settings and deleted results take effect in all
 * gateways.
 */
const freshMs = 1_000;
const maxEntries = 5_000;

/**
 * Reads accounts by key ID, and cached images by hash. Caches accounts and fresh results for a second, because most
 * requests are for existing results, and pages request the same images repeatedly. `isFirst`: whether this is the
 * request's first read. Later reads bypass the cache.
 */
export type ImageReads = {
  account: (keyId: string) => Promise<ImageAccount | undefined>;
  image: (account: ImageAccount, hash: string, isFirst: boolean) => Promise<CachedImage | undefined>;
};

export function openImageReads({ db }: Needs<'db'>): ImageReads {
  const accounts = makeRecentReads<ImageAccount | undefined>({ freshMs, entries: maxEntries });
  const images = makeRecentReads<CachedImage | undefined>({ freshMs, entries: maxEntries });
  return {
    account: (keyId) => accounts.read(keyId, () => findImageAccount(db, keyId)),
    image: async ({ accountId }, hash, isFirst) => {
      const load = () => findCachedImage(db, { accountId, hash });
      if (!isFirst) return load();
      const key = `${accountId} ${hash}`;
      const image = await images.read(key, load);
      if (!image || !isFresh(image)) images.forget(key);
      return image;
    },
  };
}
