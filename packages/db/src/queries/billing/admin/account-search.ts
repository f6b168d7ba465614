import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type Expression, type SqlBool, sql } from 'kysely';
import { hasText } from '../../../conditions.ts';
import type { DbOrTx } from '../../../database.ts';

/** The account behind a row. `accountId` is null after it was deleted. */
export type AccountColumns = {
  accountId: string | null;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  overrideTier: Tier | null;
  overrideUntil: Date | null;
};
export const accountColumns = [
  'users.id as accountId',
  'users.email',
  'users.firstName',
  'users.lastName',
  'users.overrideTier',
  'users.overrideUntil',
] as const;

/** The account of `customer`, also after the customer was deleted at Stripe. */
export const ownerId = sql<string | null>`coalesce(customer.account_id, customer.former_account_id)`;
/** Whether `customer` was deleted at Stripe, and its account may have another one. */
export const isFormer = sql<boolean>`customer.former_account_id is not null`.as('isFormer');

/** `byName`: whether a search compares names only, for those who may not read email addresses. */
export type AccountSearch = { search?: string | undefined; byName?: boolean | undefined };

/** What a search looks for: an ID of Stripe or of an account, or a part of a user's email address or name. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Searches that find more customers find so many rows that the first page is read quickly in any case. */
const fewCustomers = 500;

/**
 * Returns the condition that a row is of an account that a search finds.
 * A few customers are listed: with a subquery, PostgreSQL expects many rows, and reads the whole table in the order of the page.
 */
export async function isOfAccounts(
  db: DbOrTx,
  customerId: string,
  { search, byName }: { search: string } & AccountSearch,
): Promise<Expression<SqlBool>> {
  const found = uuid.test(search) ? sql`id = ${search}` : hasText(search, byName);
  // With `or` instead of the union, PostgreSQL would read all customers.
  const customers = sql<{ stripeId: string }>`
    select stripe_id from billing_customers where account_id in (select id from users where ${found})
    union all select stripe_id from billing_customers where former_account_id in (select id from users where ${found})`;
  const { rows } = await sql<{ stripeId: string }>`${customers} limit ${sql.lit(fewCustomers + 1)}`.execute(db);
  const ids = rows.map(({ stripeId }) => stripeId);
  return ids.length > fewCustomers
    ? sql<SqlBool>`${sql.ref(customerId)} in (${customers})`
    : sql<SqlBool>`${sql.ref(customerId)} = any(${ids}::text[])`;
}

/** The column that an ID of Stripe belongs to, by its prefix. */
export function findIdColumn(search: string, columns: Record<string, string>): string | undefined {
  const [prefix = ''] = /^[a-z]+(?=_[\w-]+$)/.exec(search) ?? [];
  return Object.hasOwn(columns, prefix) ? columns[prefix] : undefined;
}
