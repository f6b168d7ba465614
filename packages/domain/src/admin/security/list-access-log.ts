import { accessSorts } from '@uprez/contracts/policy/admin/logs';
import type { AccessEventView } from '@uprez/contracts/schemas/admin/logs';
import { type AccessEventRow, countAccessEvents, listAccessEvents } from '@uprez/db/queries/access/access-events';
import { defineTable, invalidCursor } from '../../read-table.ts';

const accessLog = defineTable({
  name: 'access-log',
  sorts: accessSorts,
  list: async (db, query) => {
    if (query.after && !/^\d{1,18}$/.test(query.after.id)) throw invalidCursor();
    return (await listAccessEvents(db, query)).map((row) => ({ ...row, id: String(row.id) }));
  },
  count: countAccessEvents,
  present: (rows) => rows.map(presentAccessEvent),
});

/** Returns a page of the access log. Throws `invalid_parameter`. */
export const listAccessLog = accessLog.page;

/** Streams the access log events that match a filter, page by page. Throws `export_too_large`. */
export const exportAccessLog = accessLog.export;

type Row = Omit<AccessEventRow, 'id'> & { id: string };

const presentUser = (id: string | null, email: string | null, ...names: (string | null)[]): AccessEventView['user'] =>
  id === null || email === null ? null : { id, email, name: names.filter(Boolean).join(' ') || null };

const presentKey = ({ keyId, keyName, keyDeletedAt }: Row): AccessEventView['key'] =>
  keyId === null || keyName === null ? null : { id: keyId, name: keyName, isDeleted: keyDeletedAt !== null };

const presentAccessEvent = (row: Row): AccessEventView => ({
  id: row.id,
  at: row.at.toISOString(),
  kind: row.kind,
  count: row.count,
  user: presentUser(row.userId, row.userEmail, row.userFirstName, row.userLastName),
  staff: presentUser(row.staffId, row.staffEmail, row.staffFirstName, row.staffLastName),
  key: presentKey(row),
  address: row.address,
  network: row.network,
  userAgent: row.agent,
  country: row.country,
  method: row.method,
  path: row.path,
  status: row.status,
  requestId: row.requestId,
});
