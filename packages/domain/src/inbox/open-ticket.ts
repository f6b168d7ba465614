import { type SpamReason, ticketLimits } from '@uprez/contracts/policy/admin/tickets';
import type { Tx } from '@uprez/db/database';
import { insertTicket, insertTicketMessage, type TicketRow } from '@uprez/db/queries/inbox/tickets';
import { readClock } from '@uprez/db/times';
import { uuidv7 } from 'uuidv7';

type Sender = Pick<TicketRow, 'name' | 'email' | 'company' | 'accountId'>;
type NewTicket = Sender &
  Pick<TicketRow, 'kind' | 'subject'> &
  Partial<Pick<TicketRow, 'inquiryType' | 'position' | 'leadId'>> & { message: string; spamReasons?: SpamReason[] };

/** Returns when the first reply is due for a ticket that is opened now. */
export const computeReplyDueAt = async (tx: Tx): Promise<Date> =>
  addBusinessHours(await readClock(tx), ticketLimits.replyHours);

/** Stores a ticket with its sender's message. Spam gets no due time. */
export async function openTicket(tx: Tx, { message: text, spamReasons = [], ...facts }: NewTicket): Promise<TicketRow> {
  const isSpam = spamReasons.length > 0;
  const ticket = await insertTicket(tx, {
    ...{ id: uuidv7(), inquiryType: null, position: null, leadId: null, assigneeId: null, autoRepliedAt: null },
    ...facts,
    ...{ spamReasons, state: isSpam ? 'spam' : 'open', dueAt: isSpam ? null : await computeReplyDueAt(tx) },
  });
  await insertTicketMessage(tx, { id: uuidv7(), ticketId: ticket.id, kind: 'message', authorId: null, text });
  return ticket;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const startOfDay = (ms: number) => Math.floor(ms / dayMs) * dayMs;
const isWeekend = (ms: number) => [0, 6].includes(new Date(ms).getUTCDay());

/**
 * Returns the time that is `hours` business hours after `from`. Every hour from Monday to Friday (UTC) is a business
 * hour. Ignores holidays.
 */
export function addBusinessHours(from: Date, hours: number): Date {
  let at = from.getTime();
  let leftMs = hours * hourMs;
  for (;;) {
    const end = startOfDay(at) + dayMs;
    if (isWeekend(at)) {
      at = end;
      continue;
    }
    // A deadline at midnight belongs to the day that is ending. Otherwise, a weekend would delay it.
    if (leftMs <= end - at) return new Date(at + leftMs);
    leftMs -= end - at;
    at = end;
  }
}
