import { type ImageFormat, mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { type ResultDeliveryError, resultRetryDelaysS } from '@uprez/contracts/schemas/jobs/batch';
import {
  type ClaimedResult,
  claimResultDelivery,
  type ResultOutcome,
  settleResultDelivery,
} from '@uprez/db/queries/jobs/result-deliveries';
import { type Put, putGuarded } from '@uprez/guarded-fetch/put-guarded';
import type { Needs } from '../context.ts';
import { openStoredObject } from '../jobs/get-job.ts';
import { reportLimit } from '../report-limit.ts';

type DeliveryContext = Needs<'db' | 'storage' | 'vault' | 'network' | 'log'>;

/** Longer than an attempt can take. Otherwise, a second process could upload the same result. */
const leaseS = 2 * limits.resultDeliverySeconds;

/**
 * Claims the next result to upload. Returns undefined if none is due. `withFree` includes results from free plans and
 * the sandbox.
 */
export const claimResult = (
  ctx: Needs<'db'>,
  { withFree }: { withFree: boolean },
): Promise<ClaimedResult | undefined> =>
  claimResultDelivery(ctx.db, { leaseS, perAccount: limits.accountResultSlots, withFree });

/**
 * Uploads a claimed result to the URL of its batch item. If the process ends during an attempt, another attempt is made
 * after the lease expires. This is safe because PUT is idempotent. Throws the signal's reason if it aborts.
 */
export async function uploadResult(ctx: DeliveryContext, claimed: ClaimedResult, signal: AbortSignal): Promise<void> {
  const outcome = await attemptDelivery(ctx, claimed, signal);
  if (outcome.error === 'timeout') reportLimit('delivery_time');
  const retryS = isRetryable(outcome) ? resultRetryDelaysS[claimed.attempts - 1] : undefined;
  if (isRetryable(outcome) && retryS === undefined) reportLimit('delivery_attempts');
  await settleResultDelivery(ctx.db, claimed, { ...outcome, retryS });
}

const timeouts = { timeoutMs: limits.resultDeliverySeconds * 1_000, stallMs: limits.resultStallSeconds * 1_000 };

type AttemptOutcome = Omit<ResultOutcome, 'retryS'>;

async function attemptDelivery(
  ctx: DeliveryContext,
  claimed: ClaimedResult,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  // The process ended during the last allowed attempt. Otherwise, that attempt would have settled the delivery.
  if (claimed.attempts > resultRetryDelaysS.length + 1) return toFailedOutcome('broken');
  const { itemId, target, key, sha256, size } = claimed;
  try {
    // Unseals the URL before opening the result. If unsealing failed afterward, the open result would never be closed.
    const url = ctx.vault.unseal(target, targetPurpose(itemId));
    const body = key === null ? undefined : await openStoredObject(ctx, { key, sha256 }, signal);
    if (!body) return toFailedOutcome('expired');
    const contentType = claimed.format ? mimeTypes[claimed.format as ImageFormat] : 'application/octet-stream';
    return toOutcome(
      await putGuarded(url, { ...timeouts, body, sizeBytes: size, contentType, signal, network: ctx.network }),
    );
  } catch (error) {
    if (signal.aborted) {
      await settleResultDelivery(ctx.db, claimed, { ...toFailedOutcome('broken'), retryS: 0 });
      throw error;
    }
    ctx.log.warn({ err: error, itemId }, 'result delivery failed');
    return toFailedOutcome('internal');
  }
}

const toFailedOutcome = (error: ResultDeliveryError, answered: number | null = null): AttemptOutcome => ({
  answered,
  error,
});

function toOutcome(put: Put): AttemptOutcome {
  if ('failure' in put) return toFailedOutcome(put.failure === 'certificate' ? 'tls' : put.failure);
  const { status } = put;
  if (status >= 200 && status < 300) return { answered: status, error: null };
  return toFailedOutcome(status >= 300 && status < 400 ? 'redirect' : 'bad_status', status);
}

const retryableStatuses = [408, 425, 429];
const finalErrors: readonly ResultDeliveryError[] = ['not_allowed', 'redirect', 'expired'];

/**
 * Whether another attempt may succeed. Most status codes below 500 are final. For example, a URL with a rejected
 * signature will be rejected again.
 */
function isRetryable({ error, answered }: AttemptOutcome): boolean {
  if (error === null || finalErrors.includes(error)) return false;
  return error !== 'bad_status' || (answered ?? 0) >= 500 || retryableStatuses.includes(answered ?? 0);
}

/** Returns the vault purpose that binds a sealed target to its item. */
export const targetPurpose = (itemId: string): string => `result-target:${itemId}`;

type ItemTarget = { id: string; targetUrl: string; isRefused: boolean };

/**
 * Returns the row for a delivery. Stores the URL sealed, and only its host in plain text. For a rejected item, stores
 * only the host.
 */
export const makeResultDelivery = ({ vault }: Needs<'vault'>, { id, targetUrl, isRefused }: ItemTarget) => ({
  itemId: id,
  target: isRefused ? null : vault.seal(targetUrl, targetPurpose(id)),
  host: new URL(targetUrl).host,
});
