import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { insertAudit, setCallAudit } from '@uprez/db/queries/audit/audit-log';
import { findSubjectAccount } from '@uprez/db/queries/audit/audit-subjects';
import type { Call, CallContext, CallKind } from '../../billing/calls/call-kind.ts';
import { completeCall, openCall, runCall } from '../../billing/calls/run-call.ts';
import { syncNow } from '../../billing/sync/sync-customer.ts';
import type { Needs } from '../../context.ts';
import { type Administrator, lockAdmin, toAuditFields } from '../administrator.ts';

type Fields = Record<string, unknown>;
type AuditDetails = { admin: Administrator; action: string; subject: string; reason?: string | undefined };

/**
 * `subject`: set if it's known only after the write. `callId`: ID of the call to Stripe that the write opened. Links
 * the call to the audit log row, because the call's failure is also audited.
 */
type AuditedWrite<Result> = { result: Result; before: Fields; after: Fields; subject?: string; callId?: string };

/**
 * Runs a write and adds a row to the audit log in the same transaction. Throws the errors of `lockAdmin` and of
 * `write`.
 */
export const writeAudited = <Result>(
  { db }: Needs<'db'>,
  { admin, action, subject, reason }: AuditDetails,
  write: (tx: Tx) => Promise<AuditedWrite<Result>>,
): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    // Runs before the write, because the write may delete the subject.
    const accountId = subject === '' ? null : await findSubjectAccount(tx, subject);
    const { result, callId, ...written } = await write(tx);
    // Locks the administrator last, because customers and payments are always locked before users.
    await lockAdmin(tx, admin);
    const auditId = await insertAudit(tx, { ...toAuditFields(admin), action, subject, accountId, reason, ...written });
    if (callId !== undefined) await setCallAudit(tx, callId, auditId);
    return result;
  });

type PreparedCall<Request> = { accountId: string; request: Request; before: Fields; after: Fields };

/**
 * Makes a change at Stripe for an administrator. Stores the call and its row in the audit log together before sending
 * the first request, and syncs the customer afterward. A Stripe error gets its own row. Throws AppError, such as
 * `billing_busy` while another change is open.
 */
export async function runAuditedCall<Request extends object>(
  ctx: CallContext,
  kind: CallKind<Request>,
  { prepare, ...audit }: AuditDetails & { prepare: (tx: Tx) => Promise<PreparedCall<Request>> },
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
    // Syncs after an error, too, because some steps may have succeeded, or the stored copy may have been outdated.
    if (!isUnreachable(error)) await syncNow(ctx, accountId);
    throw error;
  }
}

const isUnreachable = (error: unknown) => error instanceof AppError && error.code === 'billing_unavailable';
