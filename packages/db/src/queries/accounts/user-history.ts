import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { countRows, type Page, readKeysetPage } from '../../keyset.ts';
import { badge } from '../billing/admin/list-transactions.ts';
import { wasPaymentTried } from '../billing/payments.ts';

/**
 * An event in an account's history. `data`: details, which depend on `kind`. Their `audit` is the ID of the audit log
 * row with the administrator and the reason.
 */
export type HistoryRow = {
  id: string;
  at: Date;
  kind: 'joined' | 'payment' | 'refund' | 'dispute' | 'subscribed' | 'ended' | 'call' | 'coupon' | 'ticket' | 'audit';
  subject: string;
  data: Record<string, string | number | null>;
};

/** `tickets`, `audits`: whether to include them, which depends on the administrator's role. */
type HistoryFilter = { userId: string; calls: readonly string[]; tickets: boolean; audits: boolean };

const selectCustomerIds = (userId: string) => sql`(
  select stripe_id from billing_customers where account_id = ${userId}
  union all select stripe_id from billing_customers where former_account_id = ${userId})`;

type EntryColumns = {
  kind: HistoryRow['kind'];
  id: RawBuilder<unknown>;
  at: RawBuilder<unknown>;
  subject: RawBuilder<unknown>;
};
const selectEntries = ({ kind, id, at, subject }: EntryColumns, data: RawBuilder<unknown>, from: RawBuilder<unknown>) =>
  sql`select ${sql.lit(`${kind}-`)} || ${id} as id, ${at} as at, ${sql.lit(kind)}::text as kind, ${subject} as subject,
    jsonb_build_object(${data}) as data from ${from}`;

const selectAmountFields = (table: string) =>
  sql`'amount', ${sql.ref(`${table}.amount`)}, 'currency', ${sql.ref(`${table}.currency`)}`;

const paymentSourceOf = (userId: string) => sql`payments left join invoices on invoices.id = payments.invoice_id
  where payments.customer_id in ${selectCustomerIds(userId)}`;
const refundsOf = (userId: string) =>
  selectEntries(
    { kind: 'refund', id: sql`refunds.id`, at: sql`refunds.created_at`, subject: sql`'payment:' || payments.id` },
    sql`${selectAmountFields('refunds')}, 'state', refunds.status, 'number', invoices.number, 'call', call.kind, 'audit', call.audit_id`,
    sql`refunds join payments on payments.id = refunds.payment_id
      left join invoices on invoices.id = payments.invoice_id
      left join billing_calls call on call.account_id = ${userId} and call.id::text = refunds.call_id
      where payments.customer_id in ${selectCustomerIds(userId)}`,
  );
const disputesOf = (userId: string) =>
  selectEntries(
    { kind: 'dispute', id: sql`disputes.id`, at: sql`disputes.created_at`, subject: sql`'payment:' || payments.id` },
    sql`${selectAmountFields('disputes')}, 'state', disputes.outcome, 'number', invoices.number`,
    sql`disputes join payments on payments.id = disputes.payment_id
      left join invoices on invoices.id = payments.invoice_id where payments.customer_id in ${selectCustomerIds(userId)}`,
  );

const subscriptionEntry = { id: sql`one.id`, subject: sql`'subscription:' || one.id` };
const subscriptionSourceOf = (userId: string) =>
  sql`one.customer_id in ${selectCustomerIds(userId)} and one.status not in ('incomplete', 'incomplete_expired')`;

/** Reads the plan that was bought first from the first invoice, because the subscription only has the current plan. */
const subscriptionStartsOf = (userId: string) =>
  selectEntries(
    { ...subscriptionEntry, kind: 'subscribed', at: sql`one.created_at` },
    sql.join(
      ['tier', 'interval', 'amount', 'currency'].map(
        (name) => sql`${sql.lit(name)}, coalesce(${sql.ref(`bought.${name}`)}, ${sql.ref(`one.${name}`)})`,
      ),
    ),
    sql`subscriptions one left join lateral (
        select prices.tier, prices.interval, prices.amount, prices.currency
        from invoices join invoice_lines line on line.invoice_id = invoices.id join prices on prices.id = line.price_id
        where invoices.subscription_id = one.id and prices.tier is not null
        order by invoices.created_at, invoices.id, line.amount desc, line.id limit 1
      ) as bought on true where ${subscriptionSourceOf(userId)}`,
  );

/**
 * Calls that end a subscription immediately. They have no entry of their own, because the entry for the subscription's
 * end covers them.
 */
const endingCallKinds = sql`('end_unpaid', 'end_lapsed', 'money_back', 'refund_and_cancel')`;
const isInEndEntry = sql`(call.kind in ${endingCallKinds} and call.state = 'done'
  and exists (select from subscriptions where id = call.request->>'subscriptionId' and ended_at is not null))`;

const cancellationFields = sql`'feedback', call.request->>'feedback', 'comment', call.request->>'comment'`;

const subscriptionEndsOf = (userId: string) =>
  selectEntries(
    { ...subscriptionEntry, kind: 'ended', at: sql`one.ended_at` },
    sql`'tier', one.tier, 'interval', one.interval, 'call', call.kind, 'audit', call.audit_id, ${cancellationFields}`,
    sql`subscriptions one left join lateral (
        select * from billing_calls where account_id = ${userId} and state = 'done' and kind in ${endingCallKinds}
          and request->>'subscriptionId' = one.id order by created_at desc limit 1
      ) as call on true where ${subscriptionSourceOf(userId)} and one.ended_at is not null`,
  );

function partsOf({ userId, calls, tickets, audits }: HistoryFilter): RawBuilder<unknown>[] {
  return [
    selectEntries(
      { kind: 'joined', id: sql`id`, at: sql`created_at`, subject: sql`'user:' || id` },
      sql``,
      sql`users where id = ${userId}`,
    ),
    selectEntries(
      { kind: 'payment', id: sql`payments.id`, at: sql`payments.created_at`, subject: sql`'payment:' || payments.id` },
      sql`${selectAmountFields('payments')}, 'state', ${badge}, 'number', invoices.number, 'failure', payments.failure_message`,
      sql`${paymentSourceOf(userId)} and ${wasPaymentTried}`,
    ),
    refundsOf(userId),
    disputesOf(userId),
    subscriptionStartsOf(userId),
    subscriptionEndsOf(userId),
    callsOf(userId, calls),
    couponsOf(userId),
    ...(tickets ? [ticketsOf(userId)] : []),
    ...(audits ? [auditsOf(userId)] : []),
  ];
}

/** Includes tickets that the user sent while signed out. */
const ticketsOf = (userId: string) =>
  selectEntries(
    { kind: 'ticket', id: sql`tickets.id`, at: sql`tickets.created_at`, subject: sql`'ticket:' || tickets.id` },
    sql`'number', number, 'text', subject, 'state', state`,
    sql`tickets where state <> 'spam' and (account_id = ${userId} or (account_id is null
      and lower(email) = (select lower(email) from users where id = ${userId})))`,
  );

/** Excludes audits that are part of the entry for a refund or for the end of a subscription. */
const auditsOf = (userId: string) =>
  selectEntries(
    { kind: 'audit', id: sql`id`, at: sql`created_at`, subject: sql`subject` },
    sql``,
    sql`audits where account_id = ${userId} and not exists (select from billing_calls call where call.audit_id = audits.id
      and (${isInEndEntry} or exists (select from refunds join payments on payments.id = refunds.payment_id
        where payments.customer_id in ${selectCustomerIds(userId)} and refunds.call_id = call.id::text)))`,
  );

const callsOf = (userId: string, calls: readonly string[]) =>
  selectEntries(
    {
      kind: 'call',
      id: sql`call.id`,
      at: sql`coalesce(call.ended_at, call.created_at)`,
      subject: sql`'user:' || account_id`,
    },
    sql`'call', call.kind, 'tier', prices.tier, 'interval', prices.interval, ${cancellationFields}`,
    sql`billing_calls call left join prices on prices.id = call.request->>'priceId'
      where account_id = ${userId} and state = 'done' and call.kind = any(${[...calls]}::text[]) and audit_id is null
        and not ${isInEndEntry}`,
  );

const couponsOf = (userId: string) =>
  selectEntries(
    {
      kind: 'coupon',
      id: sql`used.id`,
      at: sql`coalesce(released_at, redeemed_at, reserved_at)`,
      subject: sql`'coupon:' || coupons.id`,
    },
    sql`'code', code, 'state', case when released_at is not null then 'released' when redeemed_at is not null then 'redeemed'
      else 'reserved' end`,
    sql`coupon_redemptions used join coupons on coupons.id = used.coupon_id where used.account_id = ${userId}`,
  );

const historyOf = (db: DbOrTx, filter: HistoryFilter) =>
  db.selectFrom(sql<HistoryRow>`(${sql.join(partsOf(filter), sql` union all `)})`.as('history'));

/** Lists a page of an account's history, latest first. */
export const listHistory = (db: DbOrTx, { after, limit, ...filter }: HistoryFilter & Page) =>
  readKeysetPage(historyOf(db, filter).selectAll(), {
    order: { column: 'history.at', type: 'time', direction: 'desc' },
    id: 'history.id',
    after,
    limit,
  });

export const countHistory = (db: DbOrTx, filter: HistoryFilter): Promise<number> => countRows(historyOf(db, filter));
