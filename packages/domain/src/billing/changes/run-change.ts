import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import { findOpenCall } from '@uprez/db/queries/billing/billing-calls';
import type { Call, CallContext, CallKind } from '../calls/call-kind.ts';
import { executeCall } from '../calls/open-call.ts';
import { mirrorAccount } from '../mirror/mirror-customer.ts';

/** How long a change may be continued after a crash or an outage of Stripe, seconds. */
export const changeS = 900;

type Opening<Request> = { accountId: string; request: Request };

/** Runs a change, and reads the customer afterward: also after an error of Stripe, because some steps may be done. */
export async function runChange<Request extends object>(
  ctx: CallContext,
  kind: CallKind<Request>,
  opening: Opening<Request>,
): Promise<Call<Request>> {
  const call = await executeCall(ctx, kind, opening).catch(async (error: unknown) => {
    if (!isLater(error)) await mirrorAccount(ctx, opening.accountId);
    throw error;
  });
  await mirrorAccount(ctx, opening.accountId);
  return call;
}

/** The change isn't over: another process has it, or Stripe doesn't respond. */
const isLater = (error: unknown) =>
  error instanceof AppError && (error.code === 'billing_busy' || error.code === 'billing_unavailable');

/**
 * Continues the account's change that stayed open after an error, if it is the wanted one. `wanted`: the fields of its
 * request that the user chose. Undefined if no change is open. Throws AppError `billing_busy` if another one is.
 */
export async function continueOpen<Request extends object>(
  ctx: CallContext,
  kind: CallKind<Request>,
  { accountId, wanted }: { accountId: string; wanted: Partial<Request> },
): Promise<Call<Request> | undefined> {
  const open = await findOpenCall(ctx.db, { accountId, slot: 'change' });
  if (!open) return undefined;
  const request = open.request as Request;
  const isSame = Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(Reflect.get(request, key), value));
  if (open.kind !== kind.name || !isSame || open.isLeased) throw new AppError('billing_busy');
  return await runChange(ctx, kind, { accountId, request });
}
