import { AppError } from '@uprez/contracts/errors/app-error';
import { hasPermission, roles } from '@uprez/contracts/policy/admin/permissions';
import { ticketSorts } from '@uprez/contracts/policy/admin/tickets';
import type { Assignee, Ticket, TicketRow } from '@uprez/contracts/schemas/tickets';
import {
  countTickets,
  type FoundTicket,
  findAccountByEmail,
  findTicket,
  listAssignees as listPeople,
  listTickets as listRows,
  listTicketFiles,
  listTicketMessages,
} from '@uprez/db/queries/inbox/tickets';
import { findObject } from '@uprez/db/queries/jobs/objects';
import { getByUuid, isUuid } from '../actor.ts';
import type { Needs } from '../context.ts';
import { defineTable } from '../read-table.ts';

const tickets = defineTable({
  name: 'tickets',
  sorts: ticketSorts,
  list: listRows,
  count: countTickets,
  present: (rows) => rows.map(presentTicketRow),
});

/** Returns a page of tickets. Throws `invalid_parameter`. */
export const listTickets = tickets.page;

/** Returns the tickets that match a filter, in chunks for an export. Throws `export_too_large`. */
export const exportTickets = tickets.export;

const answeringRoles = roles.filter((role) => hasPermission(role, 'inbox.manage'));

/** Returns the administrators who can answer tickets. */
export const listAssignees = ({ db }: Needs<'db'>): Promise<Assignee[]> => listPeople(db, answeringRoles);

function presentTicketRow({ dueAt, createdAt, ...row }: FoundTicket): TicketRow {
  const { id, number, kind, inquiryType, state, name, email, company, subject, assignee, isOverdue, spamReasons } = row;
  return {
    ...{ id, number, kind, inquiryType, state, name, email, company, subject, assignee, isOverdue, spamReasons },
    dueAt: dueAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** Returns a ticket with its conversation and files. Throws `ticket_not_found`. */
export async function getTicket({ db }: Needs<'db'>, id: string): Promise<Ticket> {
  const found = await getByUuid(id, () => findTicket(db, id), 'ticket_not_found');
  const messages = await listTicketMessages(db, found.id);
  const files = await listTicketFiles(db, found.id);
  return {
    ...presentTicketRow(found),
    position: found.position,
    account: (await findAccountByEmail(db, found.email)) ?? null,
    wasSignedIn: found.accountId !== null,
    messages: messages.map(({ createdAt, ...message }) => ({ ...message, createdAt: createdAt.toISOString() })),
    files: files.map(({ id: fileId, name, mimeType, size }) => ({ id: fileId, name, mimeType, sizeBytes: size ?? 0 })),
  };
}

/** Returns a ticket's file and the object that stores it. Throws `ticket_not_found`, including for an unknown file. */
export async function getTicketFile({ db }: Needs<'db'>, { id, fileId }: { id: string; fileId: string }) {
  const files = isUuid(id) ? await listTicketFiles(db, id) : [];
  const file = files.find((one) => one.id === fileId.toLowerCase());
  const object = file && (await findObject(db, file.objectId));
  if (!file || object?.state !== 'stored') throw new AppError('ticket_not_found');
  return { name: file.name, mimeType: file.mimeType, object };
}
