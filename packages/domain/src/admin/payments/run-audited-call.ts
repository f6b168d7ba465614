import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import type { Call, CallContext, CallKind } from '../../billing/calls/call-kind.ts';
import { openCall } from '../../billing/calls/open-call.ts';
import { completeCall, runCall } from '../../billing/calls/run-call.ts';
import { syncNow } from '../../billing/sync/sync-customer.ts';
import { type Audit, type Fields, writeAudited } from './write-audited.ts';

/** What a call is about. `before` and `after`: for the audit log. */
type Prepared<Request> = { accountId: string; request: Request; before: Fields; after: Fields };

/**
 * Changes something at Stripe for an administrator. The call and its row of the audit log are stored together before the
 * first request, and the customer is read afterward. An error of Stripe gets a row of its own. Throws AppError, such as
 * `billing_busy` while another change is open.
 */
export async function runAuditedCall<Request extends object>(
  ctx: CallContext,
  kind: CallKind<Request>,
  { prepare, ...audit }: Audit & { prepare: (tx: Tx) => Promise<Prepared<Request>> },
): Promise<Call<Request>> {
  const { row, accountId } = await writeAudited(ctx, audit, async (tx) => {
    const { before, after, ...opening } = await prepare(tx);
    const opened = await openCall({ db: tx }, kind, opening);
    if (!opened) throw new AppError('billing_busy');
    return { result: { row: opened, accountId: opening.accountId }, before, after, callId: opened.id };
  });
  try {
    const call = await runCall(ctx, kind, row);
    await completeCall(ctx, call);
    await syncNow(ctx, accountId);
    return call;
  } catch (error) {
    // Some steps may be done, or our copy was outdated.
    if (!isUnreachable(error)) await syncNow(ctx, accountId);
    throw error;
  }
}

const isUnreachable = (error: unknown) => error instanceof AppError && error.code === 'billing_unavailable';
