import { AppError } from '@uprez/contracts/errors/app-error';
import type { TicketState } from '@uprez/contracts/policy/admin/tickets';
import type { Ticket } from '@uprez/contracts/schemas/tickets';
import type { Tx } from '@uprez/db/database';
import { deleteTickets, type TicketRow, updateTicket } from '@uprez/db/queries/inbox/tickets';
import type { Needs } from '../context.ts';
import { listAssignees } from './list-tickets.ts';
import { dueFromNow } from './open-ticket.ts';
import { getTicket } from './present-ticket.ts';
import { type Writing, writeTicket, writeTicketAndGet } from './write-ticket.ts';

type NewState = Exclude<TicketState, 'answered'>;
type Changes = { state?: NewState | undefined; assigneeId?: string | null | undefined };

/** Changes the state and the assignee of a ticket. Throws `ticket_not_found` or `invalid_parameter`. */
export async function changeTicket(
  ctx: Needs<'db'>,
  { state, assigneeId, ...writing }: Writing & Changes,
): Promise<Ticket> {
  if (assigneeId !== undefined) await assign(ctx, { ...writing, assigneeId });
  if (state === undefined) return await getTicket(ctx, writing.id);
  const { state: before } = await getTicket(ctx, writing.id);
  return await writeTicketAndGet(ctx, { ...writing, action: actionOf(state, before) }, async (tx, ticket) => ({
    after: await setState(tx, ticket, state),
  }));
}

async function assign(ctx: Needs<'db'>, { assigneeId, ...writing }: Writing & { assigneeId: string | null }) {
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

async function setState(tx: Tx, ticket: TicketRow, state: NewState): Promise<TicketRow> {
  if (ticket.state === state) return ticket;
  return await updateTicket(tx, ticket.id, {
    state,
    spamReasons: state === 'spam' ? ['marked'] : [],
    dueAt: state === 'open' ? await dueFromNow(tx) : null,
  });
}

/** Deletes spam. Throws `ticket_not_found` or `ticket_not_spam`. */
export const deleteTicket = (ctx: Needs<'db'>, writing: Writing): Promise<void> =>
  writeTicket(ctx, { ...writing, action: 'ticket.delete' }, async (tx, { id, state }) => {
    if (state !== 'spam') throw new AppError('ticket_not_spam');
    await deleteTickets(tx, [id]);
    return { after: undefined };
  });
