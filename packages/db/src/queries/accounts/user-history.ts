import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { countRows, type Page, readKeysetPage } from '../../keyset.ts';
import { badge, wasTried } from '../billing/admin/list-transactions.ts';

/** What happened. `data`: its facts, by kind. `subject_id`: of what it is about. */
export type HistoryRow = {
  id: string;
  at: Date;
  kind: 'joined' | 'payment' | 'refund' | 'dispute' | 'subscribed' | 'ended' | 'call' | 'coupon' | 'ticket' | 'audit';
  subject: string;
  data: Record<string, string | number | null>;
};

/** `calls`: kinds of calls to Stripe. `tickets`, `audits`: whether the role of the administrator includes them. */
type HistoryFilter = { userId: string; calls: readonly string[]; tickets: boolean; audits: boolean };

const customers = (userId: string) => sql`(
  select stripe_id from billing_customers where account_id = ${userId}
  union all select stripe_id from billing_customers where former_account_id = ${userId})`;

type Part = {
  kind: HistoryRow['kind'];
  id: RawBuilder<unknown>;
  at: RawBuilder<unknown>;
  subject: RawBuilder<unknown>;
};
const part = ({ kind, id, at, subject }: Part, data: RawBuilder<unknown>, from: RawBuilder<unknown>) =>
  sql`select ${sql.lit(`${kind}-`)} || ${id} as id, ${at} as at, ${sql.lit(kind)}::text as kind, ${subject} as subject,
    jsonb_build_object(${data}) as data from ${from}`;

const money = (table: string) =>
  sql`'amount', ${sql.ref(`${table}.amount`)}, 'currency', ${sql.ref(`${table}.currency`)}`;

const paid = (userId: string) => sql`payments left join invoices on invoices.id = payments.invoice_id
  where payments.customer_id in ${customers(userId)}`;
type Source = { kind: 'refund' | 'dispute'; table: 'refunds' | 'disputes'; state: string };
const ofPayment = (userId: string, { kind, table, state }: Source) =>
  part(
    { kind, id: sql.ref(`${table}.id`), at: sql.ref(`${table}.created_at`), subject: sql`'payment:' || payments.id` },
    sql`${money(table)}, 'state', ${sql.ref(`${table}.${state}`)}, 'number', invoices.number`,
    sql`${sql.table(table)} join payments on payments.id = ${sql.ref(`${table}.payment_id`)}
      left join invoices on invoices.id = payments.invoice_id where payments.customer_id in ${customers(userId)}`,
  );

const subscription = { id: sql`id`, subject: sql`'subscription:' || id` };

/** One part for each source, joined into one list. */
function partsOf({ userId, calls, tickets, audits }: HistoryFilter): RawBuilder<unknown>[] {
  const mine = sql`subscriptions where customer_id in ${customers(userId)} and status not in ('incomplete', 'incomplete_expired')`;
  const plan = sql`'tier', tier, 'interval', interval, ${money('subscriptions')}`;
  return [
    part(
      { kind: 'joined', id: sql`id`, at: sql`created_at`, subject: sql`'user:' || id` },
      sql``,
      sql`users where id = ${userId}`,
    ),
    part(
      { kind: 'payment', id: sql`payments.id`, at: sql`payments.created_at`, subject: sql`'payment:' || payments.id` },
      sql`${money('payments')}, 'state', ${badge}, 'number', invoices.number, 'failure', payments.failure_message`,
      sql`${paid(userId)} and ${wasTried}`,
    ),
    ofPayment(userId, { kind: 'refund', table: 'refunds', state: 'status' }),
    ofPayment(userId, { kind: 'dispute', table: 'disputes', state: 'outcome' }),
    part({ ...subscription, kind: 'subscribed', at: sql`created_at` }, plan, mine),
    part({ ...subscription, kind: 'ended', at: sql`ended_at` }, plan, sql`${mine} and ended_at is not null`),
    callsOf(userId, calls),
    couponsOf(userId),
    ...(tickets ? [ticketsOf(userId)] : []),
    ...(audits ? [auditsOf(userId)] : []),
  ];
}

/** Those that the user wrote before signing in, too. */
const ticketsOf = (userId: string) =>
  part(
    { kind: 'ticket', id: sql`tickets.id`, at: sql`tickets.created_at`, subject: sql`'ticket:' || tickets.id` },
    sql`'number', number, 'text', subject, 'state', state`,
    sql`tickets where state <> 'spam' and (account_id = ${userId} or (account_id is null
      and lower(email) = (select lower(email) from users where id = ${userId})))`,
  );

const auditsOf = (userId: string) =>
  part(
    { kind: 'audit', id: sql`id`, at: sql`created_at`, subject: sql`subject` },
    sql``,
    sql`audits where account_id = ${userId}`,
  );

const callsOf = (userId: string, calls: readonly string[]) =>
  part(
    {
      kind: 'call',
      id: sql`call.id`,
      at: sql`coalesce(call.ended_at, call.created_at)`,
      subject: sql`'user:' || account_id`,
    },
    sql`'call', call.kind, 'tier', prices.tier, 'interval', prices.interval`,
    sql`billing_calls call left join prices on prices.id = call.request->>'priceId'
      where account_id = ${userId} and state = 'done' and call.kind = any(${[...calls]}::text[]) and audit_id is null`,
  );

const couponsOf = (userId: string) =>
  part(
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

/** A page of what happened to an account, the latest first. */
export const listHistory = (db: DbOrTx, { after, limit, ...filter }: HistoryFilter & Page) =>
  readKeysetPage(historyOf(db, filter).selectAll(), {
    order: { column: 'history.at', type: 'time', direction: 'desc' },
    id: 'history.id',
    after,
    limit,
  });

export const countHistory = (db: DbOrTx, filter: HistoryFilter): Promise<number> => countRows(historyOf(db, filter));
