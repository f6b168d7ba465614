import type { DbOrTx } from '../../database.ts';

export type AuditEntry = {
  actorId: string;
  action: string;
  subject: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason?: string | undefined;
  address?: string | undefined;
};

/** Add one row to the audit trail, in the transaction of the write that it tells of. */
export const insertAudit = (db: DbOrTx, entry: AuditEntry) =>
  db
    .insertInto('audits')
    .values({
      actorId: entry.actorId,
      action: entry.action,
      subject: entry.subject,
      before: JSON.stringify(entry.before),
      after: JSON.stringify(entry.after),
      reason: entry.reason ?? null,
      address: entry.address ?? null,
    })
    .execute();
