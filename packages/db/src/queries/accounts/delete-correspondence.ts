import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../database.ts';

/**
 * `email`: the account's confirmed email address. Undefined if the address isn't confirmed, because it may be someone
 * else's.
 */
type Correspondent = { accountId: string; email: string | undefined };

/** Never true if `email` is undefined. */
const emailEquals = (column: RawBuilder<unknown>, email: string | undefined) =>
  sql<boolean>`lower(${column}) = lower(${email ?? null}::text)`;

/** Lists the tickets that a person sent while signed in or from their email address. */
export async function listTicketsOfPerson(tx: Tx, { accountId, email }: Correspondent): Promise<string[]> {
  const rows = await tx
    .selectFrom('tickets')
    .select('id')
    .where((eb) => eb.or([eb('accountId', '=', accountId), emailEquals(sql.ref('tickets.email'), email)]))
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Deletes other records that contain a person's email address: inquiries, an invitation, a newsletter subscription, and
 * queued emails.
 */
export async function deleteCorrespondence(tx: Tx, { accountId, email }: Correspondent): Promise<void> {
  await tx
    .deleteFrom('leads')
    .where((eb) => eb.or([eb('accountId', '=', accountId), emailEquals(sql.ref('leads.email'), email)]))
    .execute();
  if (email === undefined) return;
  await tx
    .deleteFrom('invitations')
    .where(emailEquals(sql.ref('invitations.email'), email))
    .execute();
  await tx
    .deleteFrom('subscribers')
    .where(emailEquals(sql.ref('subscribers.email'), email))
    .execute();
  await tx
    .deleteFrom('outbox')
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where((eb) => eb.or(['to', 'email'].map((field) => emailEquals(sql`payload ->> ${field}`, email))))
    .execute();
}
