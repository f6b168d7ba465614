import type { Role } from '@uprez/contracts/policy/permissions';
import type { StaffSort, TwoFactorState } from '@uprez/contracts/policy/tables';
import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { countRows, type KeysetOrder, type Page, readKeysetPage } from '../../keyset.ts';
import { hasText } from '../../user-text.ts';
import { lastSeen } from './admin-users.ts';

export type StaffFilter = {
  search?: string | undefined;
  role?: Role | undefined;
  twoFactor?: TwoFactorState | undefined;
};

/** Administrators are few, so their lists need no index but that of the role. */
function matching(db: DbOrTx, { search, role, twoFactor }: StaffFilter) {
  let query = db.selectFrom('users').where('users.role', 'is not', null).$narrowType<{ role: Role }>();
  if (search) query = query.where(hasText(search, false));
  if (role) query = query.where('users.role', '=', role);
  if (twoFactor) query = query.where('users.twoFactorAt', twoFactor === 'on' ? 'is not' : 'is', null);
  return query;
}

const seen = { column: sql`coalesce(${lastSeen}, timestamptz 'epoch')`, type: 'time' } as const;
const joined = { column: 'users.createdAt', type: 'time' } as const;
const orders: Record<StaffSort, KeysetOrder> = {
  '-seen': { ...seen, direction: 'desc' },
  seen: { ...seen, direction: 'asc' },
  '-joined': { ...joined, direction: 'desc' },
  joined: { ...joined, direction: 'asc' },
};

/** A page of the administrators. `lastSeenAt`: on any device, also one that signed out since. */
export const listStaff = (db: DbOrTx, { sort, after, limit, ...filter }: StaffFilter & Page & { sort: StaffSort }) =>
  readKeysetPage(
    matching(db, filter)
      .select(['id', 'firstName', 'lastName', 'email', 'role', 'suspendedAt', 'twoFactorAt', 'createdAt'])
      .select(lastSeen.as('lastSeenAt'))
      .$narrowType<{ role: Role }>(),
    { order: orders[sort], id: 'users.id', after, limit },
  );
export type StaffRow = Awaited<ReturnType<typeof listStaff>>[number];

export const countStaff = (db: DbOrTx, filter: StaffFilter): Promise<number> => countRows(matching(db, filter));

/** Owners who are neither suspended nor about to be deleted. */
export const countOwners = (db: DbOrTx): Promise<number> =>
  countRows(matching(db, { role: 'owner' }).where('suspendedAt', 'is', null).where('deletesAt', 'is', null));
