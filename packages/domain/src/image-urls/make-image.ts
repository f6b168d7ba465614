import { AppError } from '@uprez/contracts/errors/app-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { imageUrlRules } from '@uprez/contracts/policy/images/image-urls';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import {
  type CachedImage,
  claimImage,
  findCachedImage,
  type ImageAccount,
  type ImageClaim,
  type ImageKey,
  releaseImageClaim,
  storeImageError,
  storeImageJob,
} from '@uprez/db/queries/image-urls/image-url-results';
import { requireAcceptedTerms, type TermsCache } from '../accounts/terms.ts';
import type { Actor } from '../actor.ts';
import { requireApiPlan } from '../api-keys/create-api-key.ts';
import { isImageError } from '../batches/cancel-batch.ts';
import { requireDailyImage } from '../count-daily.ts';
import { type AcceptContext, acceptImage } from '../intake/accept-image.ts';
import type { Upload } from '../intake/prepare-upload.ts';
import { reportLimitOf } from '../report-limit.ts';
import type { FetchInput } from '../uploads/begin-upload.ts';
import { findReplacedJob, mustFetchOriginal, readImageState } from './image-state.ts';
import { requireAllowedHost } from './image-url-settings.ts';
import type { ParsedImageUrl } from './parse-image-url.ts';

/**
 * Limits concurrent tasks per account. `run`: runs `task` for an image. If a task for the same image is already
 * running, waits for that task instead.
 */
export type ImageSlots = { run: (image: ImageKey, task: () => Promise<void>) => Promise<void> };
export type MakeContext = AcceptContext & {
  terms: Pick<TermsCache, 'read'>;
  imageSlots: ImageSlots;
  fetchImage: (actor: Actor, wanted: FetchInput) => Promise<Upload>;
};
export type WantedImage = { account: ImageAccount; wanted: ParsedImageUrl; closing: AbortSignal };
type NewImage = WantedImage & { image: CachedImage };

/** With `cache`, a stored result is copied if it was made from identical bytes with the same recipe. */
const options = { async: undefined, cache: true, dryRun: false, webhookUrl: undefined };

export const actorOf = ({ accountId, ...account }: ImageAccount): Actor => ({
  accountId,
  plan: planOf(account),
  surface: 'api',
});

/**
 * Fetches an image's original, creates the job, and stores the outcome, which may be an error. Does nothing if another
 * request is already doing this. Throws `image_not_ready` if too many images are waiting, `rate_limited`, or
 * `service_unavailable`, such as when the gateway stops.
 */
export function makeImage(ctx: MakeContext, made: WantedImage): Promise<void> {
  const name: ImageKey = { accountId: made.account.accountId, hash: made.wanted.hash };
  return ctx.imageSlots.run(name, async () => {
    if (made.closing.aborted) throw new AppError('service_unavailable');
    // Another gateway may have made the image while this one was waiting for a slot.
    const image = await findCachedImage(ctx.db, name);
    if (!image || !mustFetchOriginal(readImageState(image))) return;
    // Claimed only once a slot is free, because the claim must last until the outcome is stored.
    const claim = await claimImage(ctx.db, name, imageUrlRules.claimSeconds);
    if (claim) await makeClaimed(ctx, claim, { ...made, image });
  });
}

async function makeClaimed(ctx: MakeContext, claim: ImageClaim, made: NewImage): Promise<void> {
  try {
    const jobId = await createImageJob(ctx, made);
    await storeImageJob(ctx.db, claim, { jobId, freshS: imageUrlRules.freshSeconds });
  } catch (error) {
    if (made.closing.aborted) {
      await releaseImageClaim(ctx.db, claim);
      throw new AppError('service_unavailable', { cause: error });
    }
    const failure = error instanceof AppError ? error : new AppError('internal', { cause: error });
    if (isTransient(failure)) {
      await releaseImageClaim(ctx.db, claim);
      throw failure;
    }
    const { accountId } = claim;
    if (errorCodes[failure.code].report) ctx.log.warn({ err: error, accountId }, 'image URL failed');
    reportLimitOf(failure);
    await storeImageError(ctx.db, claim, { ...describeError(failure), freshS: imageUrlRules.failureSeconds });
  }
}

async function createImageJob(ctx: MakeContext, { account, image, wanted, closing }: NewImage): Promise<string> {
  const actor = actorOf(account);
  requireApiPlan(actor.plan, 'live');
  await requireAcceptedTerms(ctx.terms, account);
  // Checked before the fetch. Otherwise, once the limit is reached, views would keep fetching the original until
  // midnight. Skipped if a result is stored, because its original may be unchanged.
  if (image.objectId === null) await requireDailyImage(ctx.db, actor);
  const { source, recipe, hash } = wanted;
  const check = (url: URL) => requireAllowedHost(account.hosts, url);
  const upload = await ctx.fetchImage(actor, {
    url: source.href,
    signal: closing,
    check,
    seconds: imageUrlRules.fetchSeconds,
  });
  const { created } = await acceptImage(ctx, {
    actor,
    upload,
    parse: () => ({ recipe, options }),
    // Joined with line breaks, because clients' keys can't contain them, so these keys never match a client's key. The
    // date limits charges to one per result and day, no matter how many visitors request it.
    idempotencyKey: ['image', hash, upload.sha256, image.today, findReplacedJob(image) ?? ''].join('\n'),
    use: `an image URL with an original on ${source.hostname}`,
  });
  if (!created) throw new Error('An image URL is never a dry run.');
  return created.job.id;
}

/**
 * Whether an error is temporary and not caused by the image. The daily limit doesn't count as temporary: like the
 * account's other limits, its error is stored.
 */
const isTransient = ({ code, limitName }: AppError) =>
  code === 'service_unavailable' || (code === 'rate_limited' && limitName !== 'daily_images');

/** Errors whose details are about the account and must not be shown to visitors. */
const accountErrors: ReadonlySet<string> = new Set(['quota_exceeded', 'storage_full', 'plan_feature']);

const describeError = (error: AppError) => ({
  code: error.code,
  detail: isImageError(error) && !accountErrors.has(error.code) ? error.message : errorCodes[error.code].title,
});
