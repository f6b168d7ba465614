import { AppError } from '@uprez/contracts/errors/app-error';
import type { Mail } from '@uprez/contracts/schemas/mails';
import type { Ticket } from '@uprez/contracts/schemas/tickets';
import type { Tx } from '@uprez/db/database';
import { findLastReply, insertTicketMessage, updateTicket } from '@uprez/db/queries/inbox/tickets';
import { insertOutbox } from '@uprez/db/queries/mails/outbox';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';
import { type Writing, writeTicketAndGet } from './write-ticket.ts';

type Reply = Writing & { message: string; close: boolean; seenReplyId?: string | null | undefined };

/**
 * Emails a reply to the sender of a ticket. `close`: whether no answer from the sender is needed. `seenReplyId`: the
 * last reply that the administrator saw. Throws `ticket_not_found`, `ticket_is_spam`, or `ticket_answered` if there is
 * a later reply.
 */
export const replyToTicket = (
  ctx: Needs<'db'>,
  { message: text, close, seenReplyId, ...writing }: Reply,
): Promise<Ticket> =>
  writeTicketAndGet(
    ctx,
    { ...writing, action: 'ticket.reply' },
    async (tx, { id: ticketId, number, state, email, subject }) => {
      if (state === 'spam') throw new AppError('ticket_is_spam');
      if (seenReplyId !== undefined) await requireSeen(tx, ticketId, seenReplyId);
      const id = uuidv7();
      await insertTicketMessage(tx, { id, ticketId, kind: 'reply', authorId: writing.admin.accountId, text });
      const mail: Mail = { mail: 'ticket_reply', to: email, ticketId, number, subject, message: text };
      // With the reply's ID, so that the ticket shows whether the email was sent.
      await insertOutbox(tx, { id, kind: 'mail', payload: mail });
      return { after: await updateTicket(tx, ticketId, { state: close ? 'closed' : 'answered', dueAt: null }) };
    },
  );

async function requireSeen(tx: Tx, ticketId: string, seenReplyId: string | null): Promise<void> {
  const last = await findLastReply(tx, ticketId);
  if ((last?.id ?? null) !== (seenReplyId?.toLowerCase() ?? null)) throw new AppError('ticket_answered');
}

/** Adds a note that only administrators see. Throws `ticket_not_found`. */
export const addNote = (
  ctx: Needs<'db'>,
  { message: text, ...writing }: Writing & { message: string },
): Promise<Ticket> =>
  writeTicketAndGet(ctx, { ...writing, action: 'ticket.note' }, async (tx, ticket) => {
    const { id: ticketId } = ticket;
    await insertTicketMessage(tx, { id: uuidv7(), ticketId, kind: 'note', authorId: writing.admin.accountId, text });
    return { after: ticket };
  });
