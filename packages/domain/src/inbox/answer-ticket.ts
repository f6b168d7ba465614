import { AppError } from '@uprez/contracts/errors/app-error';
import type { Mail } from '@uprez/contracts/schemas/mails';
import type { Ticket } from '@uprez/contracts/schemas/tickets';
import { insertTicketMessage, updateTicket } from '@uprez/db/queries/inbox/tickets';
import { insertOutbox } from '@uprez/db/queries/mails/outbox';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';
import { type Writing, writeAndGet } from './write-ticket.ts';

/** Emails a reply to the sender of a ticket. `close`: no answer is needed. Throws `ticket_not_found` or `ticket_is_spam`. */
export const replyToTicket = (
  ctx: Needs<'db'>,
  { message: text, close, ...writing }: Writing & { message: string; close: boolean },
): Promise<Ticket> =>
  writeAndGet(
    ctx,
    { ...writing, action: 'ticket.reply' },
    async (tx, { id: ticketId, number, state, email, subject }) => {
      if (state === 'spam') throw new AppError('ticket_is_spam');
      const id = uuidv7();
      await insertTicketMessage(tx, { id, ticketId, kind: 'reply', authorId: writing.admin.accountId, text });
      const mail: Mail = { mail: 'ticket_reply', to: email, ticketId, number, subject, message: text };
      // With the ID of the reply, so that the ticket says whether it was sent.
      await insertOutbox(tx, { id, kind: 'mail', payload: mail });
      return { after: await updateTicket(tx, ticketId, { state: close ? 'closed' : 'answered', dueAt: null }) };
    },
  );

/** Adds a note that only administrators see. Throws `ticket_not_found`. */
export const addNote = (
  ctx: Needs<'db'>,
  { message: text, ...writing }: Writing & { message: string },
): Promise<Ticket> =>
  writeAndGet(ctx, { ...writing, action: 'ticket.note' }, async (tx, ticket) => {
    const { id: ticketId } = ticket;
    await insertTicketMessage(tx, { id: uuidv7(), ticketId, kind: 'note', authorId: writing.admin.accountId, text });
    return { after: ticket };
  });
