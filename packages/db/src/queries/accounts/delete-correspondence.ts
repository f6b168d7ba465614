import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../database.ts';

/** `email`: the confirmed email address of the account; undefined if it may be that of somebody else. */
type Person = { accountId: string; email: string | undefined };

/** Whether a column or expression is this email address, ignoring case. Never for an address that wasn't confirmed. */
const isEmail = (column: RawBuilder<unknown>, email: string | undefined) =>
  sql<boolean>`lower(${column}) = lower(${email ?? null}::text)`;

/** Lists the tickets that a person sent, signed in or with the email address. */
export async function listTicketsOfPerson(tx: Tx, { accountId, email }: Person): Promise<string[]> {
  const rows = await tx
    .selectFrom('tickets')
    .select('id')
    .where((eb) => eb.or([eb('accountId', '=', accountId), isEmail(sql.ref('tickets.email'), email)]))
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes what names the email address of a person besides the account: inquiries, an invitation, a subscription, and emails that wait. */
export async function deleteCorrespondence(tx: Tx, { accountId, email }: Person): Promise<void> {
  await tx
    .deleteFrom('leads')
    .where((eb) => eb.or([eb('accountId', '=', accountId), isEmail(sql.ref('leads.email'), email)]))
    .execute();
  if (email === undefined) return;
  await tx
    .deleteFrom('invitations')
    .where(isEmail(sql.ref('invitations.email'), email))
    .execute();
  await tx
    .deleteFrom('subscribers')
    .where(isEmail(sql.ref('subscribers.email'), email))
    .execute();
  await tx
    .deleteFrom('outbox')
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where((eb) => eb.or(['to', 'email'].map((field) => isEmail(sql`payload ->> ${field}`, email))))
    .execute();
}
