import { AppError } from '@uprez/contracts/errors/app-error';
import { type SpamReason, type TicketKind, ticketLimits } from '@uprez/contracts/policy/admin/tickets';
import type { ContactForm } from '@uprez/contracts/schemas/contact';
import type { Tx } from '@uprez/db/database';
import {
  countAutoReplies,
  findPositionTitle,
  insertTicketFiles,
  recordAutoReply,
  type TicketRow,
} from '@uprez/db/queries/inbox/tickets';
import { uuidv7 } from 'uuidv7';
import { takeAnswerTime } from '../answer-time.ts';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { requestConfirmation } from '../newsletter/subscribers/subscription.ts';
import { openTicket } from './open-ticket.ts';
import type { Attachment } from './store-attachment.ts';

/** `accountId`: the sender's account, if signed in. `spamReasons`: signs of spam found in the form itself. */
type ContactInput = {
  form: ContactForm;
  accountId: string | undefined;
  files: readonly Attachment[];
  spamReasons: readonly SpamReason[];
};

/**
 * Stores a contact form submission as a ticket, emails it to support, and emails a confirmation to its sender. If the
 * sender chose the newsletter, also starts that sign-up. Spam is only stored, but the sender gets the same response.
 * Returns the ticket number. Throws `invalid_parameter` if the position isn't open.
 */
export async function receiveContact(
  { db, settings }: Needs<'db' | 'settings'>,
  { form, accountId, files, spamReasons }: ContactInput,
): Promise<{ number: number }> {
  const position = await readPosition({ db }, form.position);
  const { supportEmail } = await settings.read('site');
  const { firstName, lastName, email, company, inquiryType, subject, message } = form;
  const store = () =>
    db.transaction().execute(async (tx) => {
      const ticket = await openTicket(tx, {
        ...{ email, company, subject, message, position, accountId: accountId ?? null },
        name: `${firstName} ${lastName}`,
        kind: kindOf(form),
        inquiryType: position === null ? inquiryType : null,
        spamReasons: [...spamReasons],
      });
      await insertTicketFiles(
        tx,
        files.map(({ id, name, mimeType }) => ({ id: uuidv7(), ticketId: ticket.id, objectId: id, name, mimeType })),
      );
      if (ticket.state !== 'spam') {
        await queueMails(tx, ticket, { to: supportEmail, message, files: files.length });
        if (form.newsletter)
          await requestConfirmation(tx, { email, topics: ['news'], services: [], source: 'contact' });
      }
      return { number: ticket.number };
    });
  return await (form.newsletter ? takeAnswerTime(store) : store());
}

const kindOf = ({ position, inquiryType }: ContactForm): TicketKind => {
  if (position) return 'application';
  return inquiryType === 'feedback' ? 'feedback' : 'contact';
};

async function readPosition({ db }: Needs<'db'>, slug: string | undefined): Promise<string | null> {
  if (!slug) return null;
  const found = await findPositionTitle(db, slug);
  if (found) return found.title;
  throw new AppError('invalid_parameter', { param: 'position', detail: 'This position is no longer open.' });
}

async function queueMails(
  tx: Tx,
  ticket: TicketRow,
  { to, ...sent }: { to: string; message: string; files: number },
): Promise<void> {
  const { id: ticketId, number, kind, inquiryType, position, name, email, company, subject } = ticket;
  const facts = { kind, inquiryType, position, name, email, company, subject, ...sent };
  await queueMail(tx, undefined, { mail: 'ticket_opened', to, ticketId, number, ...facts });
  // Limits confirmations per email address, because anyone can enter someone else's.
  if ((await countAutoReplies(tx, email)) >= ticketLimits.autoRepliesPerDay) return;
  await recordAutoReply(tx, ticketId);
  await queueMail(tx, undefined, { mail: 'ticket_received', to: email, ticketId, number });
}
