import { type LeadSort, leadSorts } from '@uprez/contracts/policy/admin/leads';
import type { AdminLead } from '@uprez/contracts/schemas/billing/admin-leads';
import { countLeads, type LeadFilter, type LeadRow, listLeads as listRows } from '@uprez/db/queries/leads/leads';
import type { Needs } from '../../context.ts';
import { readAll, readPage, type TablePage, type TableQuery } from '../../read-table.ts';

const tableOf = ({ db }: Needs<'db'>, filter: LeadFilter) => ({
  list: (page: Parameters<typeof listRows>[1]) => listRows(db, { ...filter, ...page }),
  count: () => countLeads(db, filter),
});

/** Returns a page of the leads. Throws `invalid_parameter`. */
export async function listLeads(
  ctx: Needs<'db'>,
  { sort = leadSorts[0], cursor, limit, ...filter }: LeadFilter & TableQuery<LeadSort>,
): Promise<TablePage<AdminLead>> {
  const page = await readPage({ list: 'leads', sort, cursor, limit }, tableOf(ctx, filter));
  return { ...page, rows: page.rows.map(presentLead) };
}

/** Streams the leads that match a filter, page by page. Throws `export_too_large`. */
export async function exportLeads(
  ctx: Needs<'db'>,
  { sort = leadSorts[0], ...filter }: LeadFilter & { sort?: LeadSort | undefined },
): Promise<AsyncIterable<AdminLead[]>> {
  const pages = await readAll(sort, tableOf(ctx, filter));
  return (async function* presented() {
    for await (const rows of pages) yield rows.map(presentLead);
  })();
}

/** Maps a lead for administrators. */
export function presentLead({ linkSentAt, linkInterval, ...row }: LeadRow): AdminLead {
  const { id, accountId, name, email, company, volume, message, createdAt } = row;
  const isSent = linkSentAt !== null && linkInterval !== null;
  return {
    state: isSent ? 'sent' : 'open',
    createdAt: createdAt.toISOString(),
    link: isSent ? { interval: linkInterval, sentAt: linkSentAt.toISOString() } : null,
    ...{ id, accountId, name, email, company, volume, message },
  };
}
