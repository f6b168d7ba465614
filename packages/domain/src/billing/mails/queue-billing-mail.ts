import type { BillingMail } from '@uprez/contracts/schemas/billing/billing-mails';
import type { Tx } from '@uprez/db/database';
import { lockUser } from '@uprez/db/queries/accounts/users';
import { insertBillingMail } from '@uprez/db/queries/billing/billing-mails';
import { queueMail } from '../../mails/queue-mail.ts';

/** `key`: what the email is about. An account gets one email for each key. */
export type KeyedMail = { key: string; mail: BillingMail };

/** Queues an email once. The caller holds no lock that follows that of the user. Returns whether it was queued now. */
export async function queueBillingMail(tx: Tx, accountId: string, { key, mail }: KeyedMail): Promise<boolean> {
  if (!(await lockUser(tx, accountId)) || !(await insertBillingMail(tx, { key, accountId }))) return false;
  await queueMail(tx, accountId, mail);
  return true;
}
