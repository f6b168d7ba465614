import { AppError } from '@uprez/contracts/errors/app-error';
import type { Ticket } from '@uprez/contracts/schemas/tickets';
import type { AuditAction } from '@uprez/contracts/texts/admin/audit-actions';
import type { Tx } from '@uprez/db/database';
import { lockTicket, type TicketRow } from '@uprez/db/queries/inbox/tickets';
import { isUuid } from '../actor.ts';
import type { Administrator } from '../admin/administrator.ts';
import { writeAudited } from '../admin/payments/write-audited.ts';
import type { Needs } from '../context.ts';
import { getTicket } from './present-ticket.ts';

type TicketAction = Extract<AuditAction, `ticket.${string}`>;
export type Writing = { admin: Administrator; id: string };
/** The ticket after a write. Undefined after its deletion. */
type Written = { after: TicketRow | undefined };

/** Writes to a locked ticket and adds an audit log entry. Throws `ticket_not_found` and the errors of `write`. */
export const writeTicket = (
  ctx: Needs<'db'>,
  { admin, id, action }: Writing & { action: TicketAction },
  write: (tx: Tx, ticket: TicketRow) => Promise<Written>,
): Promise<void> =>
  writeAudited(ctx, { admin, action, subject: `ticket:${id.toLowerCase()}` }, async (tx) => {
    const ticket = isUuid(id) ? await lockTicket(tx, id) : undefined;
    if (!ticket) throw new AppError('ticket_not_found');
    const { after } = await write(tx, ticket);
    return { result: undefined, before: toFields(ticket), after: after ? toFields(after) : {} };
  });

/** Writes to a ticket like `writeTicket`, and returns it with its conversation. */
export async function writeTicketAndGet(
  ctx: Needs<'db'>,
  ...[writing, write]: [Parameters<typeof writeTicket>[1], Parameters<typeof writeTicket>[2]]
): Promise<Ticket> {
  await writeTicket(ctx, writing, write);
  return await getTicket(ctx, writing.id);
}

/** Fields for the audit log. Excludes texts, because the audit log outlives tickets. */
const toFields = ({ number, state, assigneeId: assignee }: TicketRow) => ({ number, state, assignee });
