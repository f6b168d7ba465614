import { type AuditSort, auditSorts } from '@uprez/contracts/policy/audit';
import type { Audit } from '@uprez/contracts/schemas/audit';
import {
  type AuditFilter,
  type AuditRow,
  countAudits,
  listNames,
  listAudits as listRows,
} from '@uprez/db/queries/accounts/list-audits';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { readAll, readPage, type TablePage, type TableQuery } from '../../read-table.ts';

const tableOf = ({ db }: Needs<'db'>, filter: AuditFilter) => ({
  list: (page: Parameters<typeof listRows>[1]) => listRows(db, { ...filter, ...page }),
  count: () => countAudits(db, filter),
});

/** A page of the audit log. Throws `invalid_parameter`. */
export async function listAudits(
  ctx: Needs<'db'>,
  { sort = auditSorts[0], cursor, limit, ...filter }: AuditFilter & TableQuery<AuditSort>,
): Promise<TablePage<Audit>> {
  const page = await readPage({ list: 'audits', sort, cursor, limit }, tableOf(ctx, filter));
  return { ...page, rows: await presentAudits(ctx, page.rows) };
}

/** The rows of a filter, in parts. Throws `export_too_large`. */
export async function exportAudits(
  ctx: Needs<'db'>,
  { sort = auditSorts[0], ...filter }: AuditFilter & { sort?: AuditSort | undefined },
): Promise<AsyncIterable<Audit[]>> {
  const pages = await readAll(sort, tableOf(ctx, filter));
  return (async function* presented() {
    for await (const rows of pages) yield await presentAudits(ctx, rows);
  })();
}

type Named = { email: string | null; name: string | null };
type Names = Map<string, Named>;
const nobody: Named = { email: null, name: null };

/** `user:1` -> `user` and `1`. */
function parseSubject(subject: string): { kind: string; id: string | null } {
  const [kind = '', ...rest] = subject.split(':');
  return { kind, id: rest.join(':') || null };
}

const userIdOf = ({ subject }: AuditRow): string | null => {
  const { kind, id } = parseSubject(subject);
  return kind === 'user' && id !== null && isUuid(id) ? id : null;
};

async function presentAudits({ db }: Needs<'db'>, rows: readonly AuditRow[]): Promise<Audit[]> {
  const ids = new Set(rows.flatMap((row) => [row.actorId, userIdOf(row)]).filter((id) => id !== null));
  const found = await listNames(db, [...ids]);
  const names: Names = new Map(
    found.map(({ id, email, firstName, lastName }) => [
      id,
      { email, name: [firstName, lastName].filter(Boolean).join(' ') || null },
    ]),
  );
  return rows.map((row) => present(row, names));
}

function actorOf({ actorId: id, actorEmail, action }: AuditRow, names: Names): Audit['actor'] {
  if (id !== null) return { kind: 'account', id, ...(names.get(id) ?? nobody) };
  if (action.startsWith('recovery.')) return { kind: 'operator', id, ...nobody };
  return { kind: 'deleted', id, email: actorEmail, name: null };
}

const present = (row: AuditRow, names: Names): Audit => ({
  id: row.id,
  action: row.action,
  actor: actorOf(row, names),
  role: row.role,
  subject: { ...parseSubject(row.subject), ...(names.get(userIdOf(row) ?? '') ?? nobody) },
  before: row.before,
  after: row.after,
  reason: row.reason,
  address: row.address,
  requestId: row.requestId,
  rejected: row.rejected,
  createdAt: row.createdAt.toISOString(),
});
