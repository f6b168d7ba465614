import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type Expression, type SqlBool, sql } from 'kysely';
import { hasText, uuidPattern } from '../../../conditions.ts';
import type { DbOrTx } from '../../../database.ts';

/** The account of a row. `accountId` is null if the account was deleted. */
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

/** ID of the account of `customer`, even after the customer was deleted at Stripe. */
export const ownerId = sql<string | null>`coalesce(customer.account_id, customer.former_account_id)`;
/** Whether `customer` was deleted at Stripe. Its account may have another customer. */
export const isFormer = sql<boolean>`customer.former_account_id is not null`.as('isFormer');

/**
 * `search`: an account ID, a Stripe ID, or a part of a user's email address or name. `byName`: whether a search matches
 * names only, for administrators who aren't allowed to read email addresses.
 */
export type AccountSearch = { search?: string | undefined; byName?: boolean | undefined };

/** Searches that find more match so many rows that the first page is found quickly anyway. */
const maxListedCustomers = 500;

/**
 * Returns the condition that a row belongs to an account that matches a search.
 *
 * Up to `maxListedCustomers` customers are listed by ID: with a subquery, PostgreSQL expects many rows, and reads the whole
 * table in page order.
 */
export async function matchAccounts(
  db: DbOrTx,
  customerId: string,
  { search, byName }: { search: string } & AccountSearch,
): Promise<Expression<SqlBool>> {
  const found = uuidPattern.test(search) ? sql`id = ${search}` : hasText(search, byName);
  // With `or` instead of the union, PostgreSQL would read all customers.
  const customers = sql<{ stripeId: string }>`
    select stripe_id from billing_customers where account_id in (select id from users where ${found})
    union all select stripe_id from billing_customers where former_account_id in (select id from users where ${found})`;
  const { rows } = await sql<{ stripeId: string }>`${customers} limit ${sql.lit(maxListedCustomers + 1)}`.execute(db);
  const ids = rows.map(({ stripeId }) => stripeId);
  return ids.length > maxListedCustomers
    ? sql<SqlBool>`${sql.ref(customerId)} in (${customers})`
    : sql<SqlBool>`${sql.ref(customerId)} = any(${ids}::text[])`;
}

/** Returns the column that contains Stripe IDs with the search's prefix. Undefined if no column does. */
export function findIdColumn(search: string, columns: Record<string, string>): string | undefined {
  const [prefix = ''] = /^[a-z]+(?=_[\w-]+$)/.exec(search) ?? [];
  return Object.hasOwn(columns, prefix) ? columns[prefix] : undefined;
}
