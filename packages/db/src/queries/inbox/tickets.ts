import type { SpamReason, TicketState } from '@uprez/contracts/policy/admin/tickets';
import { type Insertable, type Selectable, sql } from 'kysely';
import { prefixPattern, suffixPattern } from '../../conditions.ts';
import type { DbOrTx, Tx } from '../../database.ts';
import { lockAutoReplies } from '../../locks.ts';
import type { TicketFilesTable, TicketMessagesTable, TicketsTable } from '../../tables/ticket-tables.ts';
import { afterSeconds, now } from '../../times.ts';

export type TicketRow = Selectable<TicketsTable>;

export const insertTicket = (tx: Tx, row: Insertable<TicketsTable>): Promise<TicketRow> =>
  tx.insertInto('tickets').values(row).returningAll().executeTakeFirstOrThrow();

export const insertTicketMessage = (tx: Tx, row: Insertable<TicketMessagesTable>) =>
  tx.insertInto('ticketMessages').values(row).execute();

/** Finds the last reply to a ticket. */
export const findLastReply = (db: DbOrTx, ticketId: string) =>
  db
    .selectFrom('ticketMessages')
    .select('id')
    .where('ticketId', '=', ticketId)
    .where('kind', '=', 'reply')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

export async function insertTicketFiles(tx: Tx, rows: readonly Insertable<TicketFilesTable>[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('ticketFiles').values(rows).execute();
}

export const lockTicket = (tx: Tx, id: string): Promise<TicketRow | undefined> =>
  tx.selectFrom('tickets').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

type Changes = {
  state?: TicketState;
  assigneeId?: string | null;
  dueAt?: Date | null;
  spamReasons?: SpamReason[];
};

export const updateTicket = (tx: Tx, id: string, changes: Changes): Promise<TicketRow> =>
  tx
    .updateTable('tickets')
    .set({ ...changes, updatedAt: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Counts the automatic replies to a mailbox in the last day. Locks the mailbox first, to include replies of concurrent
 * transactions. Addresses that differ only after a plus sign usually share a mailbox.
 */
export async function countAutoReplies(tx: Tx, email: string): Promise<number> {
  const [, name = '', domain = ''] = /^([^+@]*).*@(.*)$/.exec(email.toLowerCase()) ?? [];
  const mailbox = `${name}@${domain}`;
  await lockAutoReplies(tx, mailbox);
  const address = sql<string>`lower(email)`;
  const { n } = await tx
    .selectFrom('tickets')
    .select(sql<number>`count(*)`.as('n'))
    .where((eb) =>
      eb.or([
        eb(address, '=', mailbox),
        eb.and([eb(address, 'like', prefixPattern(`${name}+`)), eb(address, 'like', suffixPattern(`@${domain}`))]),
      ]),
    )
    .where('autoRepliedAt', '>', afterSeconds(-86_400))
    .executeTakeFirstOrThrow();
  return n;
}

export const recordAutoReply = (tx: Tx, id: string) =>
  tx.updateTable('tickets').set({ autoRepliedAt: now }).where('id', '=', id).execute();

/** Finds the title of an open position. */
export const findPositionTitle = (db: DbOrTx, slug: string) =>
  db
    .selectFrom('articles')
    .select('title')
    .where('kind', '=', 'position')
    .where('status', '=', 'published')
    .where('deletedAt', 'is', null)
    .where(sql`lower(slug)`, '=', sql`lower(${slug})`)
    .executeTakeFirst();

/** Deletes tickets and emails about them, and marks their files for deletion. */
export async function deleteTickets(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('objects')
    .set({ state: 'deleting' })
    .where('id', 'in', (eb) => eb.selectFrom('ticketFiles').select('objectId').where('ticketId', 'in', ids))
    .execute();
  // Rows in `objects` stay until their bytes are deleted.
  await tx.deleteFrom('ticketFiles').where('ticketId', 'in', ids).execute();
  await tx.deleteFrom('outbox').where(sql`payload ->> 'ticketId'`, 'in', ids).execute();
  await tx.deleteFrom('tickets').where('id', 'in', ids).execute();
}

/**
 * Locks tickets closed more than `closedS` seconds ago, or marked as spam more than `spamS` seconds ago. Returns their
 * IDs.
 */
export async function lockOldTickets(
  tx: Tx,
  { closedS, spamS, limit }: { closedS: number; spamS: number; limit: number },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('tickets')
    .select('id')
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'closed'), eb('updatedAt', '<', afterSeconds(-closedS))]),
        eb.and([eb('state', '=', 'spam'), eb('updatedAt', '<', afterSeconds(-spamS))]),
      ]),
    )
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(({ id }) => id);
}
