import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import { type CallRow, findCall, findLatestCall } from '@uprez/db/queries/billing/billing-calls';
import type { Call, CallContext, CallKind } from '../calls/call-kind.ts';
import { awaitSync } from '../sync/sync-customer.ts';

/** How long a request waits for another one of the account that makes the same change. */
const waitMs = 20_000;
const pollMs = 100;

/** `wanted`: the fields of a change's request that the user chose. */
export type WantedChange<Request> = { accountId: string; wanted: Partial<Request> };

type Named = Pick<CallKind<unknown>, 'name'>;

export const isSame = (
  { kind, request }: Pick<CallRow, 'kind' | 'request'>,
  { name }: Named,
  wanted: object,
): boolean =>
  kind === name && Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(Reflect.get(request, key), value));

/**
 * Waits for the same change, which another request makes, and returns what it returned. Holds no database connection
 * meanwhile. Throws its AppError, and `billing_busy` if another change is open.
 */
export async function awaitSame<Request extends object>(
  ctx: CallContext,
  kind: Named,
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
    // The other request got an error, and the call is continued later.
    if (!call.isLeased) throw new AppError('billing_unavailable');
    if (performance.now() > untilMs) break;
    await setTimeout(pollMs);
    // By its ID: once it has ended, a third request may open the next one.
    call = await findCall(ctx.db, call.id);
  }
  throw new AppError('billing_busy');
}

/** Errors of a change that was made already, or that changed what another request of the same kind had read. */
const outdated: readonly AppError['code'][] = [
  'subscription_state',
  'no_subscription',
  'preview_changed',
  'money_back_over',
];

/**
 * Starts a change. If that fails because another request made the same one meanwhile, as one of these kinds, returns the call
 * of that one.
 */
export async function startOrAwait<Request extends object, Result>(
  ctx: CallContext,
  { kinds, ...change }: WantedChange<Request> & { kinds: readonly Named[] },
  start: () => Promise<Result>,
): Promise<Result | Call<Request>> {
  const slot = { accountId: change.accountId, slot: 'change' };
  const before = await findLatestCall(ctx.db, slot);
  return await start().catch(async (error: unknown) => {
    if (!(error instanceof AppError && outdated.includes(error.code))) throw error;
    const latest = await findLatestCall(ctx.db, slot);
    const kind = kinds.find((one) => latest && isSame(latest, one, change.wanted));
    const wasOver = latest?.id === before?.id && before?.state !== 'open';
    if (!kind || wasOver) throw error;
    return await awaitSame(ctx, kind, change);
  });
}
