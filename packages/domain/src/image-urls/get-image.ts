import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { imageUrls } from '@uprez/contracts/policy/image-urls';
import type { CachedImage, ImageAccount } from '@uprez/db/queries/image-urls/image-url-results';
import { getJob, type Job, type StoredObject } from '../jobs/get-job.ts';
import { type WaitContext, waitForChange } from '../waiting/wait-for-job.ts';
import { requireAllowedHost } from './allowed-hosts.ts';
import { isSignedBy, secretPurpose } from './image-signature.ts';
import { readImageState } from './image-state.ts';
import { actorOf, type MakeContext, makeImage } from './make-image.ts';
import type { ImageReads } from './open-image-reads.ts';
import { findKeyId, type ImagePath, type ParsedImageUrl, parseImageUrl } from './parse-image-url.ts';

/** Interval at which an image is read that another gateway prepares. */
const pollMs = 200;

type ImageContext = MakeContext & WaitContext & { imageReads: ImageReads };

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
export async function getImage(ctx: ImageContext, request: ImageRequest): Promise<SentImage> {
  const { path, accept, signal, closing } = request;
  const deadline = performance.now() + request.seconds * 1_000;
  const account = await requireAccount(ctx, path);
  const wanted = parseImageUrl(path, accept);
  requireAllowedHost(account.hosts, wanted.source);
  for (let isFirst = true; ; isFirst = false) {
    const image = await ctx.imageReads.image(account, wanted.hash, isFirst);
    if (!image) throw new AppError('image_url_invalid');
    if (wanted.expiresS !== undefined && wanted.expiresS <= image.nowS) throw new AppError('image_url_expired');
    const state = readImageState(image);
    const seconds = (deadline - performance.now()) / 1_000;
    if (state.name === 'stored') return present({ account, image, wanted }, state.maxAgeS);
    if (seconds <= 0 || signal.aborted || closing.aborted) throw notReady();
    if (state.name === 'running') await waitForResult(ctx, account, { jobId: state.jobId, seconds, signal });
    else if (state.name === 'claimed') await pause(pollMs, undefined, { signal }).catch(() => undefined);
    else await makeImage(ctx, { account, image, wanted, closing });
  }
}

const notReady = () => new AppError('image_not_ready', { meta: { retryAfterS: imageUrls.retrySeconds } });

/** The account whose secret signed a path. Whoever can't sign one learns nothing about its options. */
async function requireAccount({ imageReads, vault }: ImageContext, path: ImagePath): Promise<ImageAccount> {
  const keyId = findKeyId(path.options);
  const account = keyId === undefined ? undefined : await imageReads.account(keyId);
  if (!account?.isEnabled || account.isSuspended) throw new AppError('image_url_invalid');
  const sealed = [account.secret, account.formerSecret].filter((secret) => secret !== null);
  const secrets = sealed.map((secret) => vault.unseal(secret, secretPurpose));
  if (!isSignedBy(secrets, path)) throw new AppError('image_url_invalid');
  return account;
}

type Wait = { jobId: string; seconds: number; signal: AbortSignal };

async function waitForResult(ctx: WaitContext, account: ImageAccount, { jobId, ...wait }: Wait): Promise<void> {
  const read = () => getJob(ctx, { actor: actorOf(account), id: jobId });
  await waitForChange(ctx, { channel: account.accountId, jobId, read, ...wait });
}

type Stored = { account: ImageAccount; image: CachedImage; wanted: ParsedImageUrl };

function present({ account: { accountId }, image, wanted: { expiresS, varies } }: Stored, maxAgeS: number): SentImage {
  const { objectId: id, key, size, sha256, filename, recipe, plan, nowS } = image;
  if (id === null || key === null || filename === null || recipe === null || plan === null)
    throw new Error(`The result of the job ${image.jobId} has no row.`);
  const leftS = expiresS === undefined ? maxAgeS : Math.min(maxAgeS, expiresS - nowS);
  const job = { filename, recipe, plan };
  return { accountId, object: { id, key, size, sha256 }, job, maxAgeS: Math.floor(leftS), varies };
}
