import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { imageUrls } from '@uprez/contracts/policy/image-urls';
import { type CachedImage, findCachedImage } from '@uprez/db/queries/image-urls/image-url-results';
import type { Needs } from '../context.ts';
import { getJob, type Job, type StoredObject } from '../jobs/get-job.ts';
import { type WaitContext, waitForChange } from '../waiting/wait-for-job.ts';
import { requireAllowedHost } from './allowed-hosts.ts';
import { isSignedBy, secretPurpose } from './image-signature.ts';
import { readImageState } from './image-state.ts';
import { actorOf, type MakeContext, makeImage } from './make-image.ts';
import { findKeyId, type ImagePath, type ParsedImageUrl, parseImageUrl } from './parse-image-url.ts';

/** Interval at which an image is read that another gateway prepares. */
const pollMs = 200;

export type ImageRequest = {
  path: ImagePath;
  /** The `Accept` header. */
  accept: string;
  /** How long to wait for the result. */
  seconds: number;
  /** Aborts when the client disconnects. The image is made nevertheless. */
  signal: AbortSignal;
  /** Aborts when the gateway stops. */
  closing: AbortSignal;
};

/** `varies`: the format depends on the `Accept` header. */
export type SentImage = {
  accountId: string;
  object: StoredObject;
  job: Pick<Job, 'filename' | 'recipe' | 'plan'>;
  maxAgeS: number;
  varies: boolean;
};

/**
 * The result of an image URL. The first request fetches the original and creates the job, and others wait for it. Throws
 * `image_url_invalid`, `image_url_expired`, `source_not_allowed`, `image_not_ready` after a while, `result_expired`, and
 * the errors of the options, of the original, and of the job.
 */
export async function getImage(ctx: MakeContext & WaitContext, request: ImageRequest): Promise<SentImage> {
  const { path, accept, signal, closing } = request;
  const deadline = Date.now() + request.seconds * 1_000;
  const keyId = findKeyId(path.options);
  if (!keyId) throw new AppError('image_url_invalid');
  const parsed = parseLater(path, accept);
  for (;;) {
    const image = await findCachedImage(ctx.db, { keyId, hash: parsed.hash });
    if (!image) throw new AppError('image_url_invalid');
    requireSigned(ctx, image, path);
    const wanted = parsed.get();
    requireUsable(image, wanted);
    const state = readImageState(image);
    const seconds = (deadline - Date.now()) / 1_000;
    if (state.name === 'stored') return present(image, wanted, state.maxAgeS);
    if (seconds <= 0 || signal.aborted || closing.aborted) throw notReady();
    if (state.name === 'running') await waitForResult(ctx, image, { jobId: state.jobId, seconds, signal });
    else if (state.name === 'claimed') await pause(pollMs, undefined, { signal }).catch(() => undefined);
    else await makeImage(ctx, { image, wanted, closing });
  }
}

const notReady = () => new AppError('image_not_ready', { meta: { retryAfterS: imageUrls.retrySeconds } });

/** Whoever can't sign a URL doesn't learn what is wrong with its options. */
function parseLater(path: ImagePath, accept: string): { hash: string; get: () => ParsedImageUrl } {
  try {
    const parsed = parseImageUrl(path, accept);
    return { hash: parsed.hash, get: () => parsed };
  } catch (error) {
    return {
      hash: '',
      get: () => {
        throw error;
      },
    };
  }
}

function requireSigned({ vault }: Needs<'vault'>, image: CachedImage, path: ImagePath): void {
  const sealed = [image.secret, image.formerSecret].filter((secret) => secret !== null);
  const secrets = sealed.map((secret) => vault.unseal(secret, secretPurpose));
  if (!image.isEnabled || image.isSuspended || !isSignedBy(secrets, path)) throw new AppError('image_url_invalid');
}

function requireUsable({ nowS, hosts }: CachedImage, { expiresS, source }: ParsedImageUrl): void {
  if (expiresS !== undefined && expiresS <= nowS) throw new AppError('image_url_expired');
  requireAllowedHost(hosts, source);
}

type Wait = { jobId: string; seconds: number; signal: AbortSignal };

async function waitForResult(ctx: WaitContext, image: CachedImage, { jobId, ...wait }: Wait): Promise<void> {
  const read = () => getJob(ctx, { actor: actorOf(image), id: jobId });
  await waitForChange(ctx, { channel: image.accountId, jobId, read, ...wait });
}

function present(image: CachedImage, { expiresS, varies }: ParsedImageUrl, maxAgeS: number): SentImage {
  const { accountId, objectId: id, key, size, sha256, filename, recipe, plan, nowS } = image;
  if (id === null || key === null || filename === null || recipe === null || plan === null)
    throw new Error(`The result of the job ${image.jobId} has no row.`);
  const leftS = expiresS === undefined ? maxAgeS : Math.min(maxAgeS, expiresS - nowS);
  const job = { filename, recipe, plan };
  return { accountId, object: { id, key, size, sha256 }, job, maxAgeS: Math.floor(leftS), varies };
}
