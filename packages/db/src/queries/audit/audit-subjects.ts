import { type RawBuilder, sql } from 'kysely';
import { uuidPattern } from '../../conditions.ts';
import type { DbOrTx } from '../../database.ts';
import { ownerId } from '../billing/admin/account-search.ts';

/**
 * Label of an audit log subject, and the account that it belongs to. `amount`: amount of a payment or an invoice, in
 * cents.
 */
export type SubjectFacts = {
  id: string;
  label: string | null;
  accountId: string | null;
  amount: number | null;
  currency: string | null;
};

/** Where subjects of a kind are stored. `key`: the column that contains the part of the subject after the colon. */
type SubjectSource = {
  from: RawBuilder<unknown>;
  key: string;
  type: 'text' | 'uuid';
  label?: RawBuilder<unknown>;
  owner?: RawBuilder<unknown>;
  amount?: RawBuilder<unknown>;
  currency?: RawBuilder<unknown>;
};

const makeSubjectSource = (table: string, label: RawBuilder<unknown>, owner?: RawBuilder<unknown>): SubjectSource => ({
  from: sql.table(table),
  key: `${table}.id`,
  type: 'uuid',
  label,
  ...(owner && { owner }),
});
const makeCustomerSource = (table: string) => ({
  from: sql`${sql.table(table)} left join billing_customers customer on customer.stripe_id = ${sql.ref(`${table}.customer_id`)}`,
  key: `${table}.id`,
  type: 'text' as const,
  owner: ownerId,
});
const paymentSource = makeCustomerSource('payments');
const accountIdColumn = sql`account_id`;

/** A visitor's ticket belongs to the account with the ticket's email address. */
const ownerOfTicket = sql`coalesce(account_id,
  (select users.id from users where lower(users.email) = lower(tickets.email) and not is_service))`;

/**
 * Invitations and their email addresses. Accepted invitations are deleted, so they are read from the audit log, with
 * the email address of the account that accepted them. The `case` must match the index `audits_accepted`. It prevents
 * casting the values of other actions, which aren't IDs.
 */
const invitedEmails = sql`(
  select id, email from invitations
  union all
  select case when action = 'invitation.accept' then (before->>'invitation')::uuid end, users.email from audits join users on users.id = audits.actor_id
  where action = 'invitation.accept'
) as invited`;

const sources: Readonly<Record<string, SubjectSource>> = {
  user: { from: sql`users`, key: 'users.id', type: 'uuid', owner: sql`users.id` },
  payment: {
    ...paymentSource,
    from: sql`${paymentSource.from} left join invoices on invoices.id = payments.invoice_id`,
    label: sql`invoices.number`,
    amount: sql`payments.amount`,
    currency: sql`payments.currency`,
  },
  invoice: {
    ...makeCustomerSource('invoices'),
    label: sql`invoices.number`,
    amount: sql`invoices.total`,
    currency: sql`invoices.currency`,
  },
  subscription: { ...makeCustomerSource('subscriptions'), label: sql`subscriptions.tier` },
  stripe_event: { ...makeCustomerSource('stripe_events'), label: sql`stripe_events.type` },
  api_key: makeSubjectSource('api_keys', sql`name`, accountIdColumn),
  job: makeSubjectSource('jobs', sql`filename`, accountIdColumn),
  ticket: makeSubjectSource('tickets', sql`'#' || number || ' ' || subject`, ownerOfTicket),
  lead: makeSubjectSource('leads', sql`coalesce(nullif(company, ''), nullif(name, ''), email)`, accountIdColumn),
  anomaly: makeSubjectSource('anomalies', sql`null`, sql`user_id`),
  invitation: { from: invitedEmails, key: 'invited.id', type: 'uuid', label: sql`invited.email` },
  coupon: makeSubjectSource('coupons', sql`code`),
  article: makeSubjectSource('articles', sql`title`),
  category: makeSubjectSource('categories', sql`name`),
  media: makeSubjectSource('media', sql`name`),
  incident: makeSubjectSource('incidents', sql`title`),
  campaign: makeSubjectSource('campaigns', sql`subject`),
  subscriber: makeSubjectSource('subscribers', sql`email`),
};

/** Returns what is stored about subjects of one kind. Subjects that were deleted or never existed are missing. */
export async function listSubjectFacts(db: DbOrTx, kind: string, ids: readonly string[]): Promise<SubjectFacts[]> {
  const source = Object.hasOwn(sources, kind) ? sources[kind] : undefined;
  const wanted = source?.type === 'uuid' ? ids.filter((id) => uuidPattern.test(id)) : ids;
  if (!source || wanted.length === 0) return [];
  const { from, key, type, label = sql`null`, owner = sql`null`, amount = sql`null`, currency = sql`null` } = source;
  const { rows } = await sql<SubjectFacts>`
    select ${sql.ref(key)}::text as id, (${label})::text as label, (${owner})::uuid as account_id,
      ${amount}::integer as amount, (${currency})::text as currency
    from ${from} where ${sql.ref(key)} = any(${wanted}::${sql.raw(type)}[])`.execute(db);
  return rows;
}

/** Splits a subject: `user:1` -> `user` and `1`. */
export function parseSubject(subject: string): { kind: string; id: string | null } {
  const [kind = '', ...rest] = subject.split(':');
  return { kind, id: rest.join(':') || null };
}

/** Returns the accounts that subjects of one kind are or belong to, by subject. Subjects without an account are missing. */
export async function listSubjectAccounts(
  db: DbOrTx,
  kind: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (!Object.hasOwn(sources, kind) || !sources[kind]?.owner) return new Map();
  const facts = await listSubjectFacts(db, kind, ids);
  return new Map(facts.flatMap(({ id, accountId }) => (accountId === null ? [] : [[`${kind}:${id}`, accountId]])));
}

/** Returns the account that a subject is or belongs to. Null if there is none. */
export async function findSubjectAccount(db: DbOrTx, subject: string): Promise<string | null> {
  const { kind, id } = parseSubject(subject);
  const accounts = id === null ? [] : (await listSubjectAccounts(db, kind, [id])).values();
  return [...accounts][0] ?? null;
}
