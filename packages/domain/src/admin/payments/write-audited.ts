import type { Tx } from '@uprez/db/database';
import { insertAudit, setCallAudit } from '@uprez/db/queries/audit/audit-log';
import { findSubjectAccount } from '@uprez/db/queries/audit/audit-subjects';
import type { Needs } from '../../context.ts';
import { type Administrator, auditedBy, lockAdmin } from '../administrator.ts';

export type Fields = Record<string, unknown>;
export type Audit = { admin: Administrator; action: string; subject: string; reason?: string | undefined };

/** `subject`: if it isn't known before the write. `callId`: a call to Stripe, whose failure is audited, too. */
type Written<Result> = { result: Result; before: Fields; after: Fields; subject?: string; callId?: string };

/** Writes in one transaction with a row of the audit log. Throws the errors of `lockAdmin` and of `write`. */
export const writeAudited = <Result>(
  { db }: Needs<'db'>,
  { admin, action, subject, reason }: Audit,
  write: (tx: Tx) => Promise<Written<Result>>,
): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    // Before the write, which may delete the subject.
    const accountId = subject === '' ? null : await findSubjectAccount(tx, subject);
    const { result, callId, ...written } = await write(tx);
    // Last, because customers and payments are locked before users.
    await lockAdmin(tx, admin);
    const auditId = await insertAudit(tx, { ...auditedBy(admin), action, subject, accountId, reason, ...written });
    if (callId !== undefined) await setCallAudit(tx, callId, auditId);
    return result;
  });
