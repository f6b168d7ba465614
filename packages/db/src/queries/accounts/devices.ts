import { type Insertable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { DevicesTable } from '../../tables/account-tables.ts';
import { afterSeconds, now } from '../../times.ts';

/** Whether a user has signed in on the device before; an unknown user has not. */
export async function hasDevice(db: DbOrTx, userId: string | undefined, secretHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('devices')
    .select('userId')
    .where('secretHash', '=', secretHash)
    .where('userId', '=', userId ?? null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Write a device down, or that it was seen again: when, and whether it is new to the user. */
export const upsertDevice = (db: DbOrTx, row: Insertable<DevicesTable>) =>
  db
    .insertInto('devices')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['userId', 'secretHash']).doUpdateSet({ lastSeenAt: now, userAgent: row.userAgent }),
    )
    // Only a row that was there before has been updated by a transaction.
    .returning([sql<boolean>`xmax = 0`.as('isNew'), 'lastSeenAt as seenAt'])
    .executeTakeFirstOrThrow();

export async function listDeviceHashes(db: DbOrTx, userId: string): Promise<Buffer[]> {
  const rows = await db.selectFrom('devices').select('secretHash').where('userId', '=', userId).execute();
  return rows.map((row) => row.secretHash);
}

/** Forget every device of a user. */
export const deleteUserDevices = (db: DbOrTx, userId: string) =>
  db.deleteFrom('devices').where('userId', '=', userId).execute();

/** Forget devices whose cookie has ended. */
export const deleteOldDevices = (db: DbOrTx, lifeS: number) =>
  db.deleteFrom('devices').where('lastSeenAt', '<=', afterSeconds(-lifeS)).execute();
