import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/** Without the microseconds that a `Date` loses. */
const lease = (seconds: number) =>
  sql<Date>`date_trunc('milliseconds', now()) + make_interval(secs => ${seconds}::float)`;

/** Takes an item that nobody uploads or fetches. Returns until when, or undefined. */
export async function takeItemUpload(db: DbOrTx, itemId: string, leaseS: number): Promise<Date | undefined> {
  const taken = await db
    .updateTable('batchItems')
    .set({ fetchAt: lease(leaseS) })
    .where('id', '=', itemId)
    .where('fetchAt', '<=', sql<Date>`now()`)
    .returning('fetchAt')
    .execute();
  return taken[0]?.fetchAt;
}

type Claim = { itemId: string; until: Date };

/** Keeps an item for longer. Returns until when; undefined if another upload has it. */
export async function renewItemUpload(
  db: DbOrTx,
  { itemId, until, leaseS }: Claim & { leaseS: number },
): Promise<Date | undefined> {
  const renewed = await updateClaimed(db, { itemId, until })
    .set({ fetchAt: lease(leaseS) })
    .returning('fetchAt')
    .execute();
  return renewed[0]?.fetchAt;
}

/** Lets others upload an item, unless they do already. */
export const endItemUpload = (db: DbOrTx, claim: Claim) =>
  updateClaimed(db, claim).set({ fetchAt: sql<Date>`now()` }).execute();

const updateClaimed = (db: DbOrTx, { itemId, until }: Claim) =>
  db.updateTable('batchItems').where('id', '=', itemId).where('fetchAt', '=', until);
