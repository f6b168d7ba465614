import { type Insertable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { DevicesTable } from '../../tables/devices.ts';
import { afterSeconds, now } from '../../times.ts';

/** Whether a user has signed in on the device before; an unknown user has not. */
export async function hasDevice(db: DbOrTx, userId: string | undefined, secretHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('devices')
    .select('user_id')
    .where('secret_hash', '=', secretHash)
    .where('user_id', '=', userId ?? null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Write a device down, or that it was seen again: when, and whether it is new to the user. */
export function upsertDevice(db: DbOrTx, row: Insertable<DevicesTable>): Promise<{ isNew: boolean; seenAt: Date }> {
  return (
    db
      .insertInto('devices')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'secret_hash']).doUpdateSet({ last_seen_at: now, user_agent: row.user_agent }),
      )
      // Only a row that was there before has been updated by a transaction.
      .returning([sql<boolean>`xmax = 0`.as('isNew'), 'last_seen_at as seenAt'])
      .executeTakeFirstOrThrow()
  );
}

export async function listDeviceHashes(db: DbOrTx, userId: string): Promise<Buffer[]> {
  const rows = await db.selectFrom('devices').select('secret_hash').where('user_id', '=', userId).execute();
  return rows.map((row) => row.secret_hash);
}

/** Forget every device of a user. */
export async function deleteUserDevices(db: DbOrTx, userId: string): Promise<void> {
  await db.deleteFrom('devices').where('user_id', '=', userId).execute();
}

/** Forget devices whose cookie has ended. */
export async function deleteOldDevices(db: DbOrTx, lifeS: number): Promise<void> {
  await db.deleteFrom('devices').where('last_seen_at', '<=', afterSeconds(-lifeS)).execute();
}
