import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import { type CallRow, findCall, findLatestCall } from '@uprez/db/queries/billing/billing-calls';
import type { Call, CallContext, CallKind } from '../calls/call-kind.ts';
import { awaitSync } from '../sync/sync-customer.ts';

const waitMs = 20_000;
const pollMs = 100;

/** `wanted` contains the request fields that the user chose. Two changes are the same if these fields match. */
export type WantedChange<Request> = { accountId: string; wanted: Partial<Request> };

type NamedKind = Pick<CallKind<unknown>, 'name'>;

export const isSame = (
  { kind, request }: Pick<CallRow, 'kind' | 'request'>,
  { name }: NamedKind,
  wanted: object,
): boolean =>
  kind === name && Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(Reflect.get(request, key), value));

/**
 * Waits for another request that is making the same change, and returns its call. Holds no database connection while
 * waiting. Throws the AppError of that call if it fails, or `billing_busy` if a different change is open or the wait
 * takes too long.
 */
export async function awaitSameChange<Request extends object>(
  ctx: CallContext,
  kind: NamedKind,
  { accountId, wanted }: WantedChange<Request>,
): Promise<Call<Request>> {
  const untilMs = performance.now() + waitMs;
  let call = await findLatestCall(ctx.db, { accountId, slot: 'change' });
  while (call && isSame(call, kind, wanted)) {
    if (call.state === 'failed') throw new AppError(call.errorCode ?? 'internal');
    if (call.state === 'done') {
      await awaitSync(ctx, accountId);
      return { ...call, accountId, request: call.request as Request };
    }
    // A call without a lease has failed. The dispatcher retries it later.
    if (!call.isLeased) throw new AppError('billing_unavailable');
    if (performance.now() > untilMs) break;
    await setTimeout(pollMs);
    // Reads the call by ID, because a third request may open a new call after this one has ended.
    call = await findCall(ctx.db, call.id);
  }
  throw new AppError('billing_busy');
}

/**
 * Error codes that a change fails with if another request has already made it or has changed the data that it is based
 * on.
 */
const outdatedCodes: readonly AppError['code'][] = [
  'subscription_state',
  'no_subscription',
  'preview_changed',
  'money_back_over',
];

/**
 * Starts a change. If that fails because a concurrent request has made the same change, as one of `kinds`, returns the
 * call of that request.
 */
export async function startOrAwait<Request extends object, Result>(
  ctx: CallContext,
  { kinds, ...change }: WantedChange<Request> & { kinds: readonly NamedKind[] },
  start: () => Promise<Result>,
): Promise<Result | Call<Request>> {
  const slot = { accountId: change.accountId, slot: 'change' };
  const before = await findLatestCall(ctx.db, slot);
  return await start().catch(async (error: unknown) => {
    if (!(error instanceof AppError && outdatedCodes.includes(error.code))) throw error;
    const latest = await findLatestCall(ctx.db, slot);
    const kind = kinds.find((one) => latest && isSame(latest, one, change.wanted));
    const wasOver = latest?.id === before?.id && before?.state !== 'open';
    if (!kind || wasOver) throw error;
    return await awaitSameChange(ctx, kind, change);
  });
}
