import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import type { Needs } from '../../context.ts';

/** `subject`: whose rows the list has, or `export:<list>`. `accountId`: that the list was filtered by. */
type Export = {
  actorId: string;
  address: string;
  requestId: string;
  subject: string;
  accountId?: string | undefined;
  /** The list, the format, and the filters. */
  after: Record<string, unknown>;
};

/** Adds a row to the audit log for a list that an administrator downloads. */
export const auditExport = ({ db }: Needs<'db'>, entry: Export): Promise<string> =>
  insertAudit(db, { ...entry, action: 'export.download', before: {} });
