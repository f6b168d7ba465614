import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';

/** Links a call to the row of the audit log of the administrator who started it. */
export const setCallAudit = (tx: Tx, id: string, auditId: string) =>
  tx.updateTable('billingCalls').set({ auditId }).where('id', '=', id).execute();

/** Adds a row to the audit log that says that the call of an administrator failed. Other calls have no row. */
export async function insertFailedCall(db: DbOrTx, id: string, code: ErrorCode): Promise<void> {
  await sql`
    insert into audits (actor_id, actor_email, role, action, subject, account_id, before, after, reason, address, request_id, rejected)
    select actor_id, actor_email, role, action, subject, account_id, '{}', after, reason, address, request_id, ${code}
    from audits where id = (select audit_id from billing_calls where id = ${id})`.execute(db);
}

/** Whether the audit log says already why a request was rejected. */
export const hasRejectedAudit = async (
  db: DbOrTx,
  { subject, requestId }: Record<'subject' | 'requestId', string>,
): Promise<boolean> =>
  (await db
    .selectFrom('audits')
    .select('id')
    .where('subject', '=', subject)
    .where('requestId', '=', requestId)
    .where('rejected', 'is not', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;
