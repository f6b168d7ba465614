import { type AuditSort, auditSorts } from '@uprez/contracts/policy/admin/audit';
import type { Audit } from '@uprez/contracts/schemas/admin/audit';
import { type AuditFilter, countAudits, listAudits as listRows } from '@uprez/db/queries/audit/list-audits';
import type { Needs } from '../../context.ts';
import { readAll, readPage, type TablePage, type TableQuery } from '../../read-table.ts';
import { presentAudits } from './present-audits.ts';

const tableOf = ({ db }: Needs<'db'>, filter: AuditFilter) => ({
  list: (page: Parameters<typeof listRows>[1]) => listRows(db, { ...filter, ...page }),
  count: () => countAudits(db, filter),
});

/** Returns a page of the audit log. Throws `invalid_parameter`. */
export async function listAudits(
  ctx: Needs<'db'>,
  { sort = auditSorts[0], cursor, limit, ...filter }: AuditFilter & TableQuery<AuditSort>,
): Promise<TablePage<Audit>> {
  const page = await readPage({ list: 'audits', sort, cursor, limit }, tableOf(ctx, filter));
  return { ...page, rows: await presentAudits(ctx, page.rows) };
}

/** Streams the audit log rows that match a filter, page by page. Throws `export_too_large`. */
export async function exportAudits(
  ctx: Needs<'db'>,
  { sort = auditSorts[0], ...filter }: AuditFilter & { sort?: AuditSort | undefined },
): Promise<AsyncIterable<Audit[]>> {
  const pages = await readAll(sort, tableOf(ctx, filter));
  return (async function* presented() {
    for await (const rows of pages) yield await presentAudits(ctx, rows);
  })();
}
