import { AppError } from '@uprez/contracts/errors/app-error';
import type { TicketState } from '@uprez/contracts/policy/admin/tickets';
import type { Mail } from '@uprez/contracts/schemas/mails';
import type { Ticket } from '@uprez/contracts/schemas/tickets';
import type { AuditAction } from '@uprez/contracts/texts/admin/audit-actions';
import type { Tx } from '@uprez/db/database';
import {
  deleteTickets,
  findLastReply,
  insertTicketMessage,
  lockTicket,
  type TicketRow,
  updateTicket,
} from '@uprez/db/queries/inbox/tickets';
import { insertOutbox } from '@uprez/db/queries/mails/outbox';
import { uuidv7 } from 'uuidv7';
import { getByUuid } from '../actor.ts';
import type { Administrator } from '../admin/administrator.ts';
import { writeAudited } from '../admin/payments/write-audited.ts';
import type { Needs } from '../context.ts';
import { getTicket, listAssignees } from './list-tickets.ts';
import { computeReplyDueAt } from './open-ticket.ts';

type NewState = Exclude<TicketState, 'answered'>;
type Changes = { state?: NewState | undefined; assigneeId?: string | null | undefined };

/**
 * Changes a ticket's state and assignee. Omitted values stay unchanged. Throws `ticket_not_found` or
 * `invalid_parameter`.
 */
export async function changeTicket(
  ctx: Needs<'db'>,
  { state, assigneeId, ...writing }: Writing & Changes,
): Promise<Ticket> {
  if (assigneeId !== undefined) await assignTicket(ctx, { ...writing, assigneeId });
  if (state === undefined) return await getTicket(ctx, writing.id);
  const { state: before } = await getTicket(ctx, writing.id);
  return await writeTicketAndGet(ctx, { ...writing, action: actionOf(state, before) }, async (tx, ticket) => ({
    after: await setTicketState(tx, ticket, state),
  }));
}

async function assignTicket(ctx: Needs<'db'>, { assigneeId, ...writing }: Writing & { assigneeId: string | null }) {
  if (assigneeId !== null && !(await listAssignees(ctx)).some(({ id }) => id === assigneeId.toLowerCase()))
    throw new AppError('invalid_parameter', {
      param: 'assigneeId',
      detail: "This administrator can't answer tickets. Choose another one.",
    });
  await writeTicket(ctx, { ...writing, action: 'ticket.assign' }, async (tx, { id }) => ({
    after: await updateTicket(tx, id, { assigneeId }),
  }));
}

const actionOf = (state: NewState, before: TicketState) => {
  if (state === 'closed') return 'ticket.close';
  if (state === 'spam') return 'ticket.spam';
  return before === 'spam' ? 'ticket.not_spam' : 'ticket.reopen';
};

async function setTicketState(tx: Tx, ticket: TicketRow, state: NewState): Promise<TicketRow> {
  if (ticket.state === state) return ticket;
  return await updateTicket(tx, ticket.id, {
    state,
    spamReasons: state === 'spam' ? ['marked'] : [],
    dueAt: state === 'open' ? await computeReplyDueAt(tx) : null,
  });
}

/** Deletes a ticket that is marked as spam. Throws `ticket_not_found` or `ticket_not_spam`. */
export const deleteTicket = (ctx: Needs<'db'>, writing: Writing): Promise<void> =>
  writeTicket(ctx, { ...writing, action: 'ticket.delete' }, async (tx, { id, state }) => {
    if (state !== 'spam') throw new AppError('ticket_not_spam');
    await deleteTickets(tx, [id]);
    return { after: undefined };
  });

type Reply = Writing & { message: string; close: boolean; seenReplyId?: string | null | undefined };

/**
 * Emails a reply to a ticket's sender. `close`: whether to close the ticket, because no answer is needed.
 * `seenReplyId`: the last reply that the administrator saw. Throws `ticket_not_found`, `ticket_is_spam`, or
 * `ticket_answered` if someone has replied since then.
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
      // Has the reply's ID, because the ticket looks up by this ID whether the email was sent.
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

type TicketAction = Extract<AuditAction, `ticket.${string}`>;
type Writing = { admin: Administrator; id: string };
/** Undefined if the ticket was deleted. */
type Written = { after: TicketRow | undefined };

/**
 * Runs `write` with the ticket locked, and adds an audit log entry. Throws `ticket_not_found` and the errors of
 * `write`.
 */
const writeTicket = (
  ctx: Needs<'db'>,
  { admin, id, action }: Writing & { action: TicketAction },
  write: (tx: Tx, ticket: TicketRow) => Promise<Written>,
): Promise<void> =>
  writeAudited(ctx, { admin, action, subject: `ticket:${id.toLowerCase()}` }, async (tx) => {
    const ticket = await getByUuid(id, () => lockTicket(tx, id), 'ticket_not_found');
    const { after } = await write(tx, ticket);
    return { result: undefined, before: toFields(ticket), after: after ? toFields(after) : {} };
  });

async function writeTicketAndGet(
  ctx: Needs<'db'>,
  ...[writing, write]: [Parameters<typeof writeTicket>[1], Parameters<typeof writeTicket>[2]]
): Promise<Ticket> {
  await writeTicket(ctx, writing, write);
  return await getTicket(ctx, writing.id);
}

/** Excludes messages, because the audit log is kept longer than tickets. */
const toFields = ({ number, state, assigneeId: assignee }: TicketRow) => ({ number, state, assignee });
