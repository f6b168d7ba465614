import type { NewLead } from '@uprez/contracts/schemas/contact';
import { insertLead } from '@uprez/db/queries/leads/leads';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';
import { openTicket } from '../inbox/open-ticket.ts';
import { queueMail } from '../mails/queue-mail.ts';

type LeadInput = { accountId: string | undefined; lead: NewLead };

/**
 * Stores an Enterprise inquiry, opens a ticket for it, and emails it to support. Does nothing for bots, which fill in
 * the hidden field.
 */
export async function createLead(
  { db, settings }: Needs<'db' | 'settings'>,
  { accountId, lead: { website, ...lead } }: LeadInput,
): Promise<void> {
  if (website !== '') return;
  const { supportEmail: to } = await settings.read('site');
  await db.transaction().execute(async (tx) => {
    const { id: leadId } = await insertLead(tx, { id: uuidv7(), accountId: accountId ?? null, ...lead });
    await openTicket(tx, { ...toTicket(lead), accountId: accountId ?? null, leadId });
    await queueMail(tx, undefined, { mail: 'lead', to, ...lead });
  });
}

const toTicket = ({ name, email, company, volume, message }: Omit<NewLead, 'website'>) => ({
  ...{ kind: 'lead' as const, name, email, company },
  subject: 'Enterprise inquiry',
  message: volume ? `Images per month: ${volume}\n\n${message}` : message,
});
