import type { NewLead } from '@uprez/contracts/schemas/leads';
import { insertLead } from '@uprez/db/queries/leads/leads';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';

/** `accountId`: of a signed-in sender. */
type Sending = { accountId: string | undefined; lead: NewLead };

/** Stores an inquiry about Enterprise and emails it to support. Does nothing for bots, which fill the hidden field. */
export async function createLead(
  { db, settings }: Needs<'db' | 'settings'>,
  { accountId, lead: { website, ...lead } }: Sending,
): Promise<void> {
  if (website !== '') return;
  const { supportEmail: to } = await settings.read('site');
  await db.transaction().execute(async (tx) => {
    await insertLead(tx, { id: uuidv7(), accountId: accountId ?? null, ...lead });
    await queueMail(tx, undefined, { mail: 'lead', to, ...lead });
  });
}
