import { AppError } from '@uprez/contracts/errors/app-error';
import type { Ticket, TicketRow } from '@uprez/contracts/schemas/tickets';
import {
  type FoundTicket,
  findAccountOf,
  findTicket,
  listTicketFiles,
  listTicketMessages,
} from '@uprez/db/queries/inbox/list-tickets';
import { findObject } from '@uprez/db/queries/jobs/objects';
import { isUuid } from '../actor.ts';
import type { Needs } from '../context.ts';

/** Converts a ticket to a row of the list. */
export function presentTicketRow({ dueAt, createdAt, ...row }: FoundTicket): TicketRow {
  const { id, number, kind, inquiryType, state, name, email, company, subject, assignee, isOverdue, spamReasons } = row;
  return {
    ...{ id, number, kind, inquiryType, state, name, email, company, subject, assignee, isOverdue, spamReasons },
    dueAt: dueAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** Returns a ticket with its conversation and files. Throws `ticket_not_found`. */
export async function getTicket({ db }: Needs<'db'>, id: string): Promise<Ticket> {
  const found = isUuid(id) ? await findTicket(db, id) : undefined;
  if (!found) throw new AppError('ticket_not_found');
  const messages = await listTicketMessages(db, found.id);
  const files = await listTicketFiles(db, found.id);
  return {
    ...presentTicketRow(found),
    position: found.position,
    account: (await findAccountOf(db, found.email)) ?? null,
    wasSignedIn: found.accountId !== null,
    messages: messages.map(({ createdAt, ...message }) => ({ ...message, createdAt: createdAt.toISOString() })),
    files: files.map(({ id: fileId, name, mimeType, size }) => ({ id: fileId, name, mimeType, sizeBytes: size ?? 0 })),
  };
}

/** Returns a file of a ticket with the object that stores it. Throws `ticket_not_found`. */
export async function getTicketFile({ db }: Needs<'db'>, { id, fileId }: { id: string; fileId: string }) {
  const files = isUuid(id) ? await listTicketFiles(db, id) : [];
  const file = files.find((one) => one.id === fileId.toLowerCase());
  const object = file && (await findObject(db, file.objectId));
  if (!file || object?.state !== 'stored') throw new AppError('ticket_not_found');
  return { name: file.name, mimeType: file.mimeType, object };
}
