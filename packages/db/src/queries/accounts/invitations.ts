import { type Insertable, type Selectable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { InvitationsTable } from '../../tables/account-tables.ts';
import { afterSeconds, now } from '../../times.ts';

export type InvitationRow = Selectable<InvitationsTable>;
type NewInvitation = Pick<Insertable<InvitationsTable>, 'id' | 'email' | 'role' | 'invitedBy'> & { lifeS: number };

/** Inserts an invitation. Returns undefined if the email address already has one. */
export const insertInvitation = (db: DbOrTx, { lifeS, ...row }: NewInvitation): Promise<InvitationRow | undefined> =>
  db
    .insertInto('invitations')
    .values({ ...row, expiresAt: afterSeconds(lifeS) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export type ListedInvitation = InvitationRow & { inviterEmail: string | null };

/**
 * Lists the invitations that haven't been accepted, newest first, with the email address of the inviter. `before`: ID
 * of the last invitation on the previous page.
 */
export function listInvitations(
  db: DbOrTx,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ListedInvitation[]> {
  let query = db
    .selectFrom('invitations')
    .leftJoin('users', 'users.id', 'invitations.invitedBy')
    .selectAll('invitations')
    .select('users.email as inviterEmail');
  if (before) query = query.where('invitations.id', '<', before);
  return query.orderBy('invitations.id', 'desc').limit(limit).execute();
}

export async function countInvitations(db: DbOrTx): Promise<number> {
  const counted = db.selectFrom('invitations').select(({ fn }) => fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

/** Returns the invitation to an email address, ignoring case. */
export const findInvitationTo = (db: DbOrTx, email: string): Promise<InvitationRow | undefined> =>
  db.selectFrom('invitations').selectAll().where(sql`lower(email)`, '=', sql`lower(${email})`).executeTakeFirst();

export const lockInvitation = (tx: Tx, id: string): Promise<InvitationRow | undefined> =>
  tx.selectFrom('invitations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

type Renewal = { id: string; invitedBy: string; lifeS: number; pauseS: number };

/**
 * Renews an invitation: invalidates its link and makes it expire in `lifeS` seconds. Returns undefined within `pauseS`
 * seconds of the last email.
 */
export const renewInvitation = (
  tx: Tx,
  { id, invitedBy, lifeS, pauseS }: Renewal,
): Promise<InvitationRow | undefined> =>
  tx
    .updateTable('invitations')
    .set({ tokenHash: null, invitedBy, sentAt: now, expiresAt: afterSeconds(lifeS) })
    .where('id', '=', id)
    .where('sentAt', '<=', afterSeconds(-pauseS))
    .returningAll()
    .executeTakeFirst();

/**
 * Stores the hash of an invitation's link. Returns undefined if the invitation was revoked or accepted, or has expired.
 */
export const setInvitationToken = (db: DbOrTx, id: string, tokenHash: Buffer) =>
  db
    .updateTable('invitations')
    .set({ tokenHash })
    .where('id', '=', id)
    .where('expiresAt', '>', now)
    .returning('id')
    .executeTakeFirst();

/** Returns the invitation for a link that hasn't expired. */
export const findInvitation = (db: DbOrTx, tokenHash: Buffer): Promise<InvitationRow | undefined> =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst();

/** Consumes an unexpired invitation link. Of several concurrent calls, only one gets the row. */
export const takeInvitation = (tx: Tx, tokenHash: Buffer): Promise<InvitationRow | undefined> =>
  tx
    .deleteFrom('invitations')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst();

/** Invalidates the links of all invitations to become an administrator. The invitations can be sent again. */
export const revokeStaffInvitations = (tx: Tx) =>
  tx.updateTable('invitations').set({ tokenHash: null }).where('role', 'is not', null).execute();

export const deleteInvitation = (tx: Tx, id: string) => tx.deleteFrom('invitations').where('id', '=', id).execute();

/** Deletes invitations that expired more than `ageS` seconds ago. */
export const deleteOldInvitations = (db: DbOrTx, ageS: number) =>
  db.deleteFrom('invitations').where('expiresAt', '<=', afterSeconds(-ageS)).execute();
