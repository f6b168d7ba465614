import { billingRules } from '@uprez/contracts/policy/billing';
import { listComingRenewals, listExpiringCards } from '@uprez/db/queries/billing/billing-mails';
import type { Needs } from '../../context.ts';
import { type KeyedMail, queueBillingMail } from './queue-billing-mail.ts';

/** Queues emails about cards that expire and yearly plans that renew. Returns how many. Safe to repeat. */
export async function mailDatesAhead({ db }: Needs<'db'>): Promise<number> {
  const mails: (KeyedMail & { accountId: string })[] = [
    ...(await listExpiringCards(db)).map(({ key, accountId, ...card }) => ({
      ...{ key, accountId },
      mail: { mail: 'card_expiring', ...card } as const,
    })),
    ...(await listComingRenewals(db, billingRules.renewalNoticeDays)).map(({ key, accountId, tier, at, ...money }) => ({
      ...{ key, accountId },
      mail: { mail: 'renewal_ahead', ...money, tier, at: at.toISOString() } as const,
    })),
  ];
  let count = 0;
  for (const { accountId, ...mail } of mails)
    if (await db.transaction().execute((tx) => queueBillingMail(tx, accountId, mail))) count += 1;
  return count;
}
