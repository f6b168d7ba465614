import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';

/** Records that an email is queued. Returns false if it was already recorded. */
export async function insertBillingMail(tx: Tx, row: { key: string; accountId: string }): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('billingMails')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export type ExpiringCard = {
  key: string;
  accountId: string;
  brand: string;
  last4: string;
  month: number;
  year: number;
};

/** Lists the cards of continuing plans that expire this month, unless an email about the expiry has been queued. */
export async function listExpiringCards(db: DbOrTx): Promise<ExpiringCard[]> {
  const { rows } = await sql<ExpiringCard>`
    select key, "accountId", brand, last4, month, year from (
      select format('card_expiring:%s:%s:%s-%s', subscription.id, card_last4, card_exp_year, card_exp_month) as key,
        customer.account_id as "accountId", card_brand as brand, card_last4 as last4, card_exp_month as month,
        card_exp_year as year,
        make_timestamptz(card_exp_year, card_exp_month, 1, 0, 0, 0, 'UTC') + interval '1 month' as ends_at
      from subscriptions subscription
      join billing_customers customer on customer.stripe_id = subscription.customer_id
      where customer.account_id is not null and subscription.status in ('active', 'past_due')
        and not subscription.cancels_at_period_end and subscription.cancel_at is null
        and card_exp_month is not null and card_last4 is not null and card_brand is not null
    ) card
    where now() >= ends_at - interval '1 month' and now() < ends_at
      and not exists (select from billing_mails where billing_mails.key = card.key)
    limit 500`.execute(db);
  return rows;
}

export type UpcomingRenewal = {
  key: string;
  accountId: string;
  tier: Tier;
  amount: number;
  currency: string;
  at: Date;
};

/**
 * Lists the yearly plans that renew within `days` days, unless an email about the renewal has been queued. `amount`:
 * amount of the next invoice, in cents.
 */
export async function listUpcomingRenewals(db: DbOrTx, days: number): Promise<UpcomingRenewal[]> {
  const { rows } = await sql<UpcomingRenewal>`
    select renewal.* from (
      select format('renewal_ahead:%s:%s', subscription.id, subscription.latest_invoice_id) as key,
        customer.account_id as "accountId", coalesce(next.tier, subscription.tier) as tier,
        coalesce(subscription.next_amount, next.amount, subscription.amount) as amount, subscription.currency,
        subscription.period_end as at
      from subscriptions subscription
      join billing_customers customer on customer.stripe_id = subscription.customer_id
      left join prices next on next.id = subscription.next_price_id
      where customer.account_id is not null and subscription.interval = 'year' and subscription.status = 'active'
        and not subscription.cancels_at_period_end and subscription.cancel_at is null and not subscription.is_paused
        and subscription.period_end > now() and subscription.period_end <= now() + make_interval(days => ${days})
    ) renewal
    where not exists (select from billing_mails where billing_mails.key = renewal.key)
    limit 500`.execute(db);
  return rows;
}
