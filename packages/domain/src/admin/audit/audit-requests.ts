import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { AuditAction } from '@uprez/contracts/texts/admin/audit-actions';
import { hasRejectedAudit, insertAudit } from '@uprez/db/queries/audit/audit-log';
import type { Needs } from '../../context.ts';

/** `after`: values that the administrator tried to set. */
type RejectedWrite = {
  actorId: string;
  address: string;
  requestId: string;
  action: AuditAction;
  subject: string;
  after: Record<string, unknown>;
  reason: string | undefined;
  rejected: ErrorCode;
};

/**
 * Adds a row to the audit log for a rejected write, which changed nothing. Does nothing if the rejection already has a
 * row, such as for a call that Stripe rejected.
 */
export async function auditRejectedWrite({ db }: Needs<'db'>, write: RejectedWrite): Promise<void> {
  if (!(await hasRejectedAudit(db, write))) await insertAudit(db, { ...write, before: {} });
}

/**
 * `subject`: the user or other record that the exported list belongs to, or `export:<list>`. `accountId`: the account
 * that the list was filtered by.
 */
type AuditedExport = {
  actorId: string;
  address: string;
  requestId: string;
  subject: string;
  accountId?: string | undefined;
  /** Name of the list, format, and filters. */
  after: Record<string, unknown>;
};

export const auditExport = ({ db }: Needs<'db'>, entry: AuditedExport): Promise<string> =>
  insertAudit(db, { ...entry, action: 'export.download', before: {} });
