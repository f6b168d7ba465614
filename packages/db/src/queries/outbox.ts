import type { DbOrTx } from '../database.ts';

export type OutboxMessage = { id: string; kind: string; userId?: string | undefined; payload: Record<string, unknown> };

/** Write a message into the outbox, in the transaction of what it tells of. */
export async function insertOutbox(db: DbOrTx, { id, kind, userId, payload }: OutboxMessage): Promise<void> {
  await db
    .insertInto('outbox')
    .values({ id, kind, user_id: userId ?? null, payload: JSON.stringify(payload) })
    .execute();
}
