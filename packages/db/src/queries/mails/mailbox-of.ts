import { type Expression, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/**
 * SQL expression for the mailbox of an email address: mail servers ignore what follows a plus sign, and Gmail ignores
 * periods. Must equal the expression of the index `subscribers_mailbox`.
 */
export const mailboxOf = (email: Expression<string>) => sql<string>`
  case when lower(${email}) ~ '@(gmail|googlemail)[.]com$'
    then replace(regexp_replace(lower(${email}), '([+].*)?@.*$', ''), '.', '') || '@gmail.com'
    else regexp_replace(lower(${email}), '[+].*@', '@') end`;

/**
 * `isAlias`: whether the email address differs from its mailbox's canonical form. A mailbox may have any number of
 * aliases.
 */
export type Mailbox = { mailbox: string; isAlias: boolean };

export async function readMailbox(db: DbOrTx, email: string): Promise<Mailbox> {
  const address = sql<string>`${email}::text`;
  const { rows } = await sql<Mailbox>`
    select mailbox, mailbox <> lower(${address}) as "isAlias" from (select ${mailboxOf(address)} as mailbox) as found`.execute(
    db,
  );
  return rows[0] ?? { mailbox: email.toLowerCase(), isAlias: false };
}
