import { type SqlBool, sql } from 'kysely';

export const hasFailed = sql<SqlBool>`(payments.failure_code is not null or payments.failure_message is not null)`;

/** Whether somebody tried to pay. A checkout that was only opened leaves a payment without an attempt, which expires. */
export const wasTried = sql<SqlBool>`(payments.status not in ('requires_payment_method', 'canceled') or payments.received > 0
  or payments.method is not null or ${hasFailed})`;

/**
 * Whether a subscription is more than a checkout that was only opened, which leaves one that is incomplete until it expires.
 * `table`: the name of `subscriptions` in the query.
 */
export const wasBegun = (table: string) => sql<SqlBool>`(
  ${sql.ref(`${table}.status`)} not in ('incomplete', 'incomplete_expired')
  or exists (select from payments where payments.invoice_id = ${sql.ref(`${table}.latestInvoiceId`)} and ${wasTried}))`;

/** Whether an invoice is of more than a checkout that was only opened. */
export const isOfBegun = sql<SqlBool>`not exists (select from subscriptions plan
  where plan.id = invoices.subscription_id and not ${wasBegun('plan')})`;
