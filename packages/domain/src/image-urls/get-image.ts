import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { imageUrlRules } from '@uprez/contracts/policy/images/image-urls';
import type { CachedImage, ImageAccount } from '@uprez/db/queries/image-urls/image-url-results';
import { getJob, type Job, type StoredObject } from '../jobs/get-job.ts';
import { type WaitContext, waitForChange } from '../waiting/wait-for-job.ts';
import { type ImageReads, makeImageNotReadyError, mustFetchOriginal, readImageState } from './image-state.ts';
import { imageUrlSecretPurpose, isSignedBy, requireAllowedHost } from './image-url-settings.ts';
import { actorOf, type MakeContext, makeImage } from './make-image.ts';
import { type ImagePath, type ParsedImageUrl, parseImageUrl, parseKeyId } from './parse-image-url.ts';

/** Polling interval while another gateway is preparing the image, in milliseconds. */
const pollMs = 200;

type ImageContext = MakeContext & WaitContext & { imageReads: ImageReads };

type ImageRequest = {
  path: ImagePath;
  accept: string;
  /** Maximum time to wait for the result, in seconds. */
  seconds: number;
  /**
   * Aborts when the client disconnects or the gateway stops. If only the client disconnects, the image is still made.
   */
  signal: AbortSignal;
  closing: AbortSignal;
};

/** `varies`: whether the format depends on the `Accept` header. */
export type SentImage = {
  accountId: string;
  object: StoredObject;
  job: Pick<Job, 'filename' | 'recipe' | 'plan' | 'receipt'>;
  maxAgeS: number;
  varies: boolean;
};

/**
 * Returns the result for an image URL. The first request fetches the original and creates the job, and concurrent
 * requests wait for its result. Throws `image_url_invalid`, `image_url_expired`, `source_not_allowed`,
 * `image_not_ready` after `seconds` seconds, `result_expired`, and errors from the options, the original, and the job.
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
    if (state.name === 'stored') return presentImage({ account, image, wanted }, state.maxAgeS);
    const left = { ms: deadline - performance.now(), signal };
    if (mustFetchOriginal(state)) {
      const making = makeImage(ctx, { account, wanted, closing });
      if (state.name === 'missing') await requireImageInTime(making, left);
      // If renewing the result takes too long or fails, sends the stored result.
      else if (!(await endsInTime(making, left).catch(() => false)))
        return presentImage({ account, image, wanted }, imageUrlRules.failureSeconds);
    } else if (left.ms <= 0 || left.signal.aborted) throw makeImageNotReadyError();
    else if (state.name === 'running')
      await waitForResult(ctx, account, { jobId: state.jobId, seconds: left.ms / 1_000, signal });
    else await pause(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

type TimeLeft = { ms: number; signal: AbortSignal };

async function requireImageInTime(making: Promise<void>, left: TimeLeft): Promise<void> {
  if (!(await endsInTime(making, left))) throw makeImageNotReadyError();
}

/**
 * Whether `making` succeeds within `ms` milliseconds and before the signal aborts. If not, it continues in the
 * background. Throws the errors of `making`.
 */
async function endsInTime(making: Promise<void>, { ms, signal }: TimeLeft): Promise<boolean> {
  const ended = new AbortController();
  const timeout = pause(Math.max(0, ms), false, { signal: AbortSignal.any([signal, ended.signal]) });
  return Promise.race([making.then(() => true), timeout.catch(() => false)]).finally(() => ended.abort());
}

/**
 * Returns the account that signed a path with its secret. Must be called before the options are parsed, because parsing
 * errors would reveal the options to unauthorized clients.
 */
async function requireAccount({ imageReads, vault }: ImageContext, path: ImagePath): Promise<ImageAccount> {
  const keyId = parseKeyId(path.options);
  const account = keyId === undefined ? undefined : await imageReads.account(keyId);
  if (!account?.isEnabled || account.isSuspended) throw new AppError('image_url_invalid');
  const sealed = [account.secret, account.formerSecret].filter((secret) => secret !== null);
  const secrets = sealed.map((secret) => vault.unseal(secret, imageUrlSecretPurpose));
  if (!isSignedBy(secrets, path)) throw new AppError('image_url_invalid');
  return account;
}

type ResultWait = { jobId: string; seconds: number; signal: AbortSignal };

async function waitForResult(ctx: WaitContext, account: ImageAccount, { jobId, ...wait }: ResultWait): Promise<void> {
  const read = () => getJob(ctx, { actor: actorOf(account), id: jobId });
  await waitForChange(ctx, { channel: account.accountId, jobId, read, ...wait });
}

type StoredImage = { account: ImageAccount; image: CachedImage; wanted: ParsedImageUrl };

function presentImage(
  { account: { accountId }, image, wanted: { expiresS, varies } }: StoredImage,
  maxAgeS: number,
): SentImage {
  const { objectId: id, key, size, sha256, filename, recipe, plan, receipt, nowS } = image;
  if (id === null || key === null || filename === null || recipe === null || plan === null)
    throw new Error(`The result of the job ${image.jobId} has no row.`);
  const leftS = expiresS === undefined ? maxAgeS : Math.min(maxAgeS, expiresS - nowS);
  const job = { filename, recipe, plan, receipt };
  return { accountId, object: { id, key, size, sha256 }, job, maxAgeS: Math.floor(leftS), varies };
}
