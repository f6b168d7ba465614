import { nextPath } from '@uprez/contracts/policy/next-path';
import { mailPages } from '@uprez/contracts/texts/pages';
import type { Tx } from '@uprez/db/database';
import { queueMail } from '../mails/queue-mail.ts';

/** Queues the email that confirms an address. `next`: the page to open afterward, ignored if it isn't a page of this site. */
export async function queueConfirmation(tx: Tx, userId: string, next: string | undefined): Promise<void> {
  const page = nextPath(next);
  await queueMail(tx, userId, { mail: 'verify_email', ...(page !== mailPages.home && { next: page }) });
}
