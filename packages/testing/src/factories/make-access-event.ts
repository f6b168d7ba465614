import { randomUUID } from 'node:crypto';
import type { Db, Tables } from '@uprez/db/database';
import { afterSeconds } from '@uprez/db/times';
import type { Insertable } from 'kysely';

type Values = Partial<Omit<Insertable<Tables['accessEvents']>, 'at'>>;

/** Inserts an access log event that happened `ageS` seconds ago. The event is a sign-in unless `values` override it. */
export async function makeAccessEvent(db: Db, ageS: number, values: Values = {}): Promise<number> {
  const { id } = await db
    .insertInto('accessEvents')
    .values({
      kind: 'sign_in',
      userId: null,
      staffId: null,
      keyId: null,
      address: '192.0.2.1',
      network: '192.0.2.0/24',
      agent: null,
      country: null,
      method: 'POST',
      path: '/api/login',
      status: 200,
      requestId: randomUUID(),
      groupKey: null,
      ...values,
      at: afterSeconds(-ageS),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
