import { type Expression, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/**
 * The mailbox of an email address: mail servers ignore what follows a plus, and Gmail ignores periods. The expression is that
 * of the index `subscribers_mailbox`.
 */
export const mailboxOf = (email: Expression<string>) => sql<string>`
  case when lower(${email}) ~ '@(gmail|googlemail)[.]com$'
    then replace(regexp_replace(lower(${email}), '([+].*)?@.*$', ''), '.', '') || '@gmail.com'
    else regexp_replace(lower(${email}), '[+].*@', '@') end`;

/** `isAlias`: the address isn't how its mailbox is named here, so one mailbox may have any number of them. */
export type Mailbox = { mailbox: string; isAlias: boolean };

/** The mailbox that gets the emails to an address. */
export async function readMailbox(db: DbOrTx, email: string): Promise<Mailbox> {
  const address = sql<string>`${email}::text`;
  const { rows } = await sql<Mailbox>`
    select mailbox, mailbox <> lower(${address}) as "isAlias" from (select ${mailboxOf(address)} as mailbox) as found`.execute(
    db,
  );
  return rows[0] ?? { mailbox: email.toLowerCase(), isAlias: false };
}
