import type { AnomalyState } from '@uprez/contracts/policy/anomalies';
import type { AnomalyFacts } from '@uprez/contracts/schemas/access-log';
import { type Selectable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { countRows, type Page, readKeysetPage } from '../../keyset.ts';
import type { AnomaliesTable } from '../../tables/access-tables.ts';
import { now } from '../../times.ts';

export type AnomalyRow = Omit<Selectable<AnomaliesTable>, 'evidence'> &
  AnomalyFacts & { userAgent: string | null; acknowledgedByEmail: string | null };

const evidence = <T>(name: string) => sql<T>`anomalies.evidence ->> ${sql.lit(name)}`;

const withFacts = (db: DbOrTx) =>
  db
    .selectFrom('anomalies')
    .leftJoin('users as account', 'account.id', 'anomalies.userId')
    .leftJoin('users as acknowledger', 'acknowledger.id', 'anomalies.acknowledgedBy')
    .select([
      'anomalies.id',
      'anomalies.rule',
      'anomalies.subject',
      'anomalies.userId',
      'anomalies.count',
      'anomalies.foundAt',
      'anomalies.mailedAt',
      'anomalies.acknowledgedBy',
      'anomalies.acknowledgedAt',
      'anomalies.note',
      'account.email as account',
      'acknowledger.email as acknowledgedByEmail',
      sql<string>`to_char(anomalies.day, 'YYYY-MM-DD')`.as('day'),
      evidence<string | null>('key').as('key'),
      evidence<string | null>('address').as('address'),
      evidence<string | null>('country').as('country'),
      evidence<string | null>('agent').as('userAgent'),
      sql<number | null>`(anomalies.evidence ->> 'median')::double precision`.as('median'),
    ]);

type AnomalyFilter = { status?: AnomalyState | undefined };

const newest = { column: 'anomalies.foundAt', type: 'time', direction: 'desc' } as const;

/** A page of the anomalies, the newest first. */
export function listAnomalies(
  db: DbOrTx,
  { status, ...page }: AnomalyFilter & Page,
): Promise<(AnomalyRow & { sortValue: number })[]> {
  const all = withFacts(db);
  const query = status ? all.where('anomalies.acknowledgedAt', status === 'open' ? 'is' : 'is not', null) : all;
  return readKeysetPage(query, { order: newest, id: 'anomalies.id', ...page });
}

/** Counts all anomalies of a filter. */
export function countAnomalies(db: DbOrTx, { status }: AnomalyFilter): Promise<number> {
  const query = db.selectFrom('anomalies');
  return countRows(status ? query.where('acknowledgedAt', status === 'open' ? 'is' : 'is not', null) : query);
}

/** Counts the anomalies that nobody acknowledged. */
export const countOpenAnomalies = (db: DbOrTx): Promise<number> => countAnomalies(db, { status: 'open' });

export const hasPendingAnomalies = async (db: DbOrTx): Promise<boolean> =>
  (await db.selectFrom('anomalies').select('id').where('mailedAt', 'is', null).limit(1).executeTakeFirst()) !==
  undefined;

/** Locks the anomalies that the owners weren't told about yet, the oldest first. */
export const lockPendingAnomalies = (tx: Tx): Promise<AnomalyRow[]> =>
  withFacts(tx)
    .where('anomalies.mailedAt', 'is', null)
    .orderBy('anomalies.foundAt')
    .orderBy('anomalies.id')
    .forNoKeyUpdate('anomalies')
    .execute();

export async function setAnomaliesMailed(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.updateTable('anomalies').set({ mailedAt: now }).where('id', 'in', ids).execute();
}

/** Locks an anomaly. */
export const lockAnomaly = (tx: Tx, id: string): Promise<AnomalyRow | undefined> =>
  withFacts(tx).where('anomalies.id', '=', id).forNoKeyUpdate('anomalies').executeTakeFirst();

export async function acknowledgeAnomaly(tx: Tx, { id, actorId, note }: Record<'id' | 'actorId' | 'note', string>) {
  await tx
    .updateTable('anomalies')
    .set({ acknowledgedBy: actorId, acknowledgedAt: now, note })
    .where('id', '=', id)
    .execute();
}
