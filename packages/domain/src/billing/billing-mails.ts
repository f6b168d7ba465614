import { billingRules } from '@uprez/contracts/policy/billing/billing';
import { type BillingMail, overridableMails } from '@uprez/contracts/schemas/mails';
import type { Tx } from '@uprez/db/database';
import { lockUser, type UserRow } from '@uprez/db/queries/accounts/users';
import { insertBillingMail, listExpiringCards, listUpcomingRenewals } from '@uprez/db/queries/billing/billing-mails';
import type { SyncedState } from '@uprez/db/queries/billing/synced-state';
import { readClock } from '@uprez/db/times';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { findBillAfterPause } from './present-bill.ts';

type Subscription = SyncedState['subscriptions'][number];
type Changed = { before: Subscription; after: Subscription; invoice: SyncedState['invoices'][number] | undefined };

const liveStatuses = ['active', 'past_due', 'unpaid'];
const isLive = ({ status }: Subscription) => liveStatuses.includes(status);
const isCancelScheduled = ({ cancelsAtPeriodEnd, cancelAt }: Subscription) => cancelsAtPeriodEnd || cancelAt !== null;

/**
 * Determines which emails to send after a change at Stripe. `read` is the number of the sync that found the change. It
 * becomes part of an email's key if the change can recur.
 */
export function decideMails(before: SyncedState, after: SyncedState, read: number): KeyedMail[] {
  const mails = after.subscriptions.flatMap((subscription) => {
    const former = before.subscriptions.find(({ id }) => id === subscription.id);
    const latest = after.invoices.find(({ id }) => id === subscription.latestInvoiceId);
    if (!former || !isLive(former))
      return subscription.status === 'active' ? [makeSubscribedMail(subscription, latest)] : [];
    const changed = { before: former, after: subscription, invoice: latest };
    if (!isLive(subscription)) return subscription.status === 'canceled' ? [makeEndedMail(changed)] : [];
    return [...decideChangeMails(changed, read), ...decideRecoveryMails(changed, after)];
  });
  // On the first sync of a customer, every refund looks new, even an old one. These refunds don't need an email.
  const known = new Set(before.refunds.map(({ id }) => id));
  const wasRead = before.subscriptions.length + before.invoices.length > 0;
  const refunds = wasRead ? after.refunds.filter(({ id }) => !known.has(id)) : [];
  return [...mails, ...refunds.map(makeRefundedMail)];
}

/** If credit covers a share of the total, it also covers the same share of the tax. */
function paidOf(invoice: Changed['invoice']): { amount: number; tax: number } {
  const { paid: amount, tax, total } = invoice ?? { paid: 0, tax: 0, total: 0 };
  return { amount, tax: total > 0 ? Math.round((amount * tax) / total) : 0 };
}

const makeSubscribedMail = (
  { id, tier, interval, currency, periodEnd }: Subscription,
  invoice: Changed['invoice'],
): KeyedMail => ({
  key: `plan_subscribed:${id}`,
  mail: {
    mail: 'plan_subscribed',
    ...{ tier, interval, currency },
    ...paidOf(invoice),
    nextAt: periodEnd.toISOString(),
  },
});

/**
 * Creates the email about an ended plan. A voided renewal counts as unpaid only if there was an attempt to collect it,
 * because bills during a pause are voided without one.
 */
const makeEndedMail = ({ after: { id, tier }, before, invoice }: Changed): KeyedMail => {
  const isUnpaid = invoice?.reason === 'subscription_cycle' && invoice.status !== 'paid' && invoice.attempts > 0;
  const reason = isUnpaid || before.pastDueInvoiceId !== null ? 'unpaid' : 'canceled';
  return { key: `plan_ended:${id}`, mail: { mail: 'plan_ended', tier, reason } };
};

function decideChangeMails({ before, after, invoice }: Changed, read: number): KeyedMail[] {
  const { id, tier, interval, amount: price, currency } = after;
  const nextAt = after.periodEnd.toISOString();
  const mails: KeyedMail[] = [];
  if (before.priceId !== after.priceId) {
    const paid = paidOf(invoice?.id === before.latestInvoiceId ? undefined : invoice);
    const from = { tier: before.tier, interval: before.interval };
    const mail = { mail: 'plan_changed', from, tier, interval, price, ...paid, currency, nextAt } as const;
    mails.push({ key: `plan_changed:${id}:${read}`, mail });
  }
  if (!isCancelScheduled(before) && isCancelScheduled(after)) {
    const endsAt = (after.cancelAt ?? after.periodEnd).toISOString();
    mails.push({ key: `plan_canceled:${id}:${read}`, mail: { mail: 'plan_canceled', tier, endsAt } });
  }
  if (!before.isPaused && after.isPaused) {
    const until = after.pausedUntil && findBillAfterPause(after, after.pausedUntil).toISOString();
    mails.push({ key: `plan_paused:${id}:${read}`, mail: { mail: 'plan_paused', tier, from: nextAt, until } });
  }
  if (before.isPaused && !after.isPaused)
    mails.push({ key: `plan_resumed:${id}:${read}`, mail: { mail: 'plan_resumed', tier, nextAt } });
  return mails;
}

function decideRecoveryMails({ before, after }: Changed, { invoices }: SyncedState): KeyedMail[] {
  const bill = invoices.find(({ id }) => id === before.pastDueInvoiceId);
  if (bill?.status !== 'paid' || after.status !== 'active') return [];
  const { tier, periodEnd } = after;
  const nextAt = periodEnd.toISOString();
  const mail = { mail: 'payment_recovered', tier, ...paidOf(bill), currency: bill.currency, nextAt } as const;
  return [{ key: `payment_recovered:${bill.id}`, mail }];
}

const makeRefundedMail = ({ id, ...money }: SyncedState['refunds'][number]): KeyedMail => ({
  key: `payment_refunded:${id}`,
  mail: { mail: 'payment_refunded', ...money },
});

/** `key` identifies the event that the email is about. An account is sent at most one email per key. */
type KeyedMail = { key: string; mail: BillingMail };

/**
 * Queues an email unless one with the same key was queued before. Locks the user, so the caller must not hold a lock
 * that comes later in the lock order. Returns whether the email was queued.
 */
export async function queueBillingMail(tx: Tx, accountId: string, { key, mail }: KeyedMail): Promise<boolean> {
  const user = await lockUser(tx, accountId);
  // Skips this email, because the email about the account's deletion already says that the plan won't renew.
  if (!user || (user.deletesAt && mail.mail === 'plan_canceled')) return false;
  if (!(await insertBillingMail(tx, { key, accountId }))) return false;
  await queueMail(tx, accountId, await addOverride(tx, user, mail));
  return true;
}

type OverridableMail = Extract<BillingMail, { mail: (typeof overridableMails)[number] }>;
const isOverridable = (mail: BillingMail): mail is OverridableMail =>
  overridableMails.some((name) => name === mail.mail);

async function addOverride(tx: Tx, { overrideTier, overrideUntil }: UserRow, mail: BillingMail): Promise<BillingMail> {
  if (!overrideTier || !isOverridable(mail)) return mail;
  const hasEnded = overrideUntil !== null && overrideUntil <= (await readClock(tx));
  return hasEnded ? mail : { ...mail, override: overrideTier };
}

/**
 * Queues emails about expiring cards and upcoming renewals of yearly plans. Returns the number of emails queued.
 * Idempotent.
 */
export async function mailUpcomingDates({ db }: Needs<'db'>): Promise<number> {
  const mails: (KeyedMail & { accountId: string })[] = [
    ...(await listExpiringCards(db)).map(({ key, accountId, ...card }) => ({
      ...{ key, accountId },
      mail: { mail: 'card_expiring', ...card } as const,
    })),
    ...(await listUpcomingRenewals(db, billingRules.renewalNoticeDays)).map(
      ({ key, accountId, tier, at, ...money }) => ({
        ...{ key, accountId },
        mail: { mail: 'renewal_ahead', ...money, tier, at: at.toISOString() } as const,
      }),
    ),
  ];
  let count = 0;
  for (const { accountId, ...mail } of mails)
    if (await db.transaction().execute((tx) => queueBillingMail(tx, accountId, mail))) count += 1;
  return count;
}
