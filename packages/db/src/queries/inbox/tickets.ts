import type {
  AssigneeFilter,
  SpamReason,
  TicketFilter,
  TicketKind,
  TicketSort,
  TicketState,
} from '@uprez/contracts/policy/admin/tickets';
import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { containsPattern, prefixPattern, suffixPattern } from '../../conditions.ts';
import type { DbOrTx, Tx } from '../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../keyset.ts';
import { lockAutoReplies } from '../../locks.ts';
import type { TicketFilesTable, TicketMessagesTable, TicketsTable } from '../../tables/ticket-tables.ts';
import { afterSeconds, now } from '../../times.ts';
import { type Person, selectPerson } from '../content/person.ts';

export type TicketRow = Selectable<TicketsTable>;

export const insertTicket = (tx: Tx, row: Insertable<TicketsTable>): Promise<TicketRow> =>
  tx.insertInto('tickets').values(row).returningAll().executeTakeFirstOrThrow();

export const insertTicketMessage = (tx: Tx, row: Insertable<TicketMessagesTable>) =>
  tx.insertInto('ticketMessages').values(row).execute();

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
 * Counts the automatic replies to a mailbox in the last day. Locks the mailbox first, because the count must include
 * replies of concurrent transactions. Addresses that differ only after a plus sign usually share a mailbox.
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

export type TicketListFilter = {
  search?: string | undefined;
  state?: TicketFilter | undefined;
  kind?: TicketKind | undefined;
  assignee?: AssigneeFilter | undefined;
  adminId: string;
};

const orders = makeOrders({
  created: { column: 'tickets.createdAt', type: 'time' },
  due: { column: sql`coalesce(tickets.due_at, timestamptz '9999-12-31')`, type: 'time' },
});

const stateConditions: Record<TicketFilter, RawBuilder<SqlBool>> = {
  active: sql<SqlBool>`tickets.state in ('open', 'answered')`,
  overdue: sql<SqlBool>`tickets.due_at < now()`,
  open: sql<SqlBool>`tickets.state = 'open'`,
  answered: sql<SqlBool>`tickets.state = 'answered'`,
  closed: sql<SqlBool>`tickets.state = 'closed'`,
  spam: sql<SqlBool>`tickets.state = 'spam'`,
  not_spam: sql<SqlBool>`tickets.state <> 'spam'`,
};

const selectTickets = (db: DbOrTx) =>
  db.selectFrom('tickets').leftJoin('users as assignee', 'assignee.id', 'tickets.assigneeId');

/** Must equal the expression of the index `tickets_text`, or PostgreSQL can't use the index. */
const searchedText = sql`lower(tickets.name || ' ' || tickets.email || ' ' || tickets.company || ' ' || tickets.subject)`;

function matching(db: DbOrTx, { search, state = 'active', kind, assignee, adminId }: TicketListFilter) {
  let query = selectTickets(db).where(stateConditions[state]);
  if (kind) query = query.where('tickets.kind', '=', kind);
  if (assignee === 'mine') query = query.where('tickets.assigneeId', '=', adminId);
  if (assignee === 'nobody') query = query.where('tickets.assigneeId', 'is', null);
  if (!search) return query;
  const number = /^#?(\d{1,9})$/.exec(search)?.[1];
  if (number) return query.where('tickets.number', '=', Number(number));
  return query.where(sql<SqlBool>`${searchedText} like lower(${containsPattern(search)})`);
}

const isOverdue = sql<boolean>`coalesce(tickets.due_at < now(), false)`.as('isOverdue');
const rowsOf = (query: ReturnType<typeof selectTickets>) =>
  query.selectAll('tickets').select([selectPerson('assignee').as('assignee'), isOverdue]);

export const listTickets = (
  db: DbOrTx,
  { sort, after, limit, ...filter }: TicketListFilter & Page & { sort: TicketSort },
) => readKeysetPage(rowsOf(matching(db, filter)), { order: orders[sort], id: 'tickets.id', after, limit });
type ListedTicket = Awaited<ReturnType<typeof listTickets>>[number];

export const countTickets = (db: DbOrTx, filter: TicketListFilter): Promise<number> => countRows(matching(db, filter));

/** Counts the tickets that need a reply, and how many of them are overdue. */
export const countOpenTickets = (db: DbOrTx): Promise<{ open: number; overdue: number }> =>
  db
    .selectFrom('tickets')
    .select(({ fn }) => [
      fn.countAll<number>().as('open'),
      sql<number>`count(*) filter (where ${stateConditions.overdue})`.as('overdue'),
    ])
    .where(stateConditions.open)
    .executeTakeFirstOrThrow();

export const findTicket = (db: DbOrTx, id: string) =>
  rowsOf(selectTickets(db)).where('tickets.id', '=', id).executeTakeFirst();
export type FoundTicket = NonNullable<Awaited<ReturnType<typeof findTicket>>>;

/** Lists the conversation and the notes of a ticket, oldest first, with the email status of each reply. */
export const listTicketMessages = (db: DbOrTx, ticketId: string) =>
  db
    .selectFrom('ticketMessages as message')
    .leftJoin('users as author', 'author.id', 'message.authorId')
    .leftJoin('outbox', 'outbox.id', 'message.id')
    .select(['message.id', 'message.kind', 'message.text', 'message.createdAt', selectPerson('author').as('author')])
    .select(
      sql<'queued' | 'sent' | 'failed' | null>`case when outbox.id is null then null
        when outbox.sent_at is not null then 'sent' when outbox.failed_at is not null then 'failed'
        else 'queued' end`.as('delivery'),
    )
    .where('message.ticketId', '=', ticketId)
    .orderBy('message.createdAt')
    .orderBy('message.id')
    .execute();

export const listTicketFiles = (db: DbOrTx, ticketId: string) =>
  db
    .selectFrom('ticketFiles as file')
    .innerJoin('objects', (join) => join.onRef('objects.id', '=', 'file.objectId').on('objects.state', '=', 'stored'))
    .select(['file.id', 'file.objectId', 'file.name', 'file.mimeType', 'objects.size'])
    .where('file.ticketId', '=', ticketId)
    .orderBy('file.id')
    .execute();

/**
 * Finds the account with an email address. Leaves out the account that probes use, which administrators must not
 * change.
 */
export const findAccountByEmail = (db: DbOrTx, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .where('isService', '=', false)
    .executeTakeFirst();

/** Lists the active administrators with one of these roles. */
export const listAssignees = (db: DbOrTx, roles: readonly string[]): Promise<NonNullable<Person>[]> =>
  db
    .selectFrom('users')
    .select(['id', 'firstName', 'email'])
    .where(sql`role`, 'in', roles)
    .where('suspendedAt', 'is', null)
    .orderBy('email')
    .execute();
