import { hasPermission, roles } from '@uprez/contracts/policy/admin/permissions';
import { type TicketSort, ticketSorts } from '@uprez/contracts/policy/admin/tickets';
import type { Assignee, TicketRow } from '@uprez/contracts/schemas/tickets';
import {
  countTickets,
  type ListedTicket,
  listAssignees as listPeople,
  listTickets as listRows,
  type TicketsFilter,
} from '@uprez/db/queries/inbox/list-tickets';
import type { Needs } from '../context.ts';
import { readAll, readPage, type TablePage, type TableQuery } from '../read-table.ts';
import { presentTicketRow } from './present-ticket.ts';

const tableOf = ({ db }: Needs<'db'>, filter: TicketsFilter) => ({
  list: (page: Omit<Parameters<typeof listRows>[1], keyof TicketsFilter>): Promise<ListedTicket[]> =>
    listRows(db, { ...filter, ...page }),
  count: () => countTickets(db, filter),
});

/** Returns a page of the tickets. Throws `invalid_parameter`. */
export async function listTickets(
  ctx: Needs<'db'>,
  { sort = ticketSorts[0], cursor, limit, ...filter }: TicketsFilter & TableQuery<TicketSort>,
): Promise<TablePage<TicketRow>> {
  const page = await readPage({ list: 'tickets', sort, cursor, limit }, tableOf(ctx, filter));
  return { ...page, rows: page.rows.map(presentTicketRow) };
}

/** Returns the tickets that match a filter, in chunks. Throws `export_too_large`. */
export async function exportTickets(
  ctx: Needs<'db'>,
  { sort = ticketSorts[0], ...filter }: TicketsFilter & { sort?: TicketSort | undefined },
): Promise<AsyncIterable<TicketRow[]>> {
  const pages = await readAll(sort, tableOf(ctx, filter));
  return (async function* presented() {
    for await (const rows of pages) yield rows.map(presentTicketRow);
  })();
}

const answering = roles.filter((role) => hasPermission(role, 'inbox.manage'));

/** Returns the administrators who can answer tickets. */
export const listAssignees = ({ db }: Needs<'db'>): Promise<Assignee[]> => listPeople(db, answering);
