import { billingRules } from '@uprez/contracts/policy/billing/billing';
import { type BillingMail, overridableMails } from '@uprez/contracts/schemas/billing/billing-mails';
import type { Tx } from '@uprez/db/database';
import { lockUser, type UserRow } from '@uprez/db/queries/accounts/users';
import { insertBillingMail, listComingRenewals, listExpiringCards } from '@uprez/db/queries/billing/billing-mails';
import { readClock } from '@uprez/db/times';
import type { Needs } from '../../context.ts';
import { queueMail } from '../../mails/queue-mail.ts';

/** `key` identifies the occasion of the email. An account gets one email per key. */
export type KeyedMail = { key: string; mail: BillingMail };

/**
 * Queues an email once. The caller must not hold a lock that comes after the user's in the lock order. Returns whether
 * the email was queued.
 */
export async function queueBillingMail(tx: Tx, accountId: string, { key, mail }: KeyedMail): Promise<boolean> {
  const user = await lockUser(tx, accountId);
  // The email about the account's deletion already says that the plan won't renew.
  if (!user || (user.deletesAt && mail.mail === 'plan_canceled')) return false;
  if (!(await insertBillingMail(tx, { key, accountId }))) return false;
  await queueMail(tx, accountId, await addOverride(tx, user, mail));
  return true;
}

type OverridableMail = Extract<BillingMail, { mail: (typeof overridableMails)[number] }>;
const isOverridable = (mail: BillingMail): mail is OverridableMail =>
  overridableMails.some((name) => name === mail.mail);

/** Adds the plan of an administrator's current override to emails that must name it. */
async function addOverride(tx: Tx, { overrideTier, overrideUntil }: UserRow, mail: BillingMail): Promise<BillingMail> {
  if (!overrideTier || !isOverridable(mail)) return mail;
  const hasEnded = overrideUntil !== null && overrideUntil <= (await readClock(tx));
  return hasEnded ? mail : { ...mail, override: overrideTier };
}

/**
 * Queues emails about expiring cards and upcoming renewals of yearly plans. Returns the number of emails queued.
 * Idempotent.
 */
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
