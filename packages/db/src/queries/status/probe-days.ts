import type { StatusService } from '@uprez/contracts/policy/status';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { ProbeDaysTable } from '../../tables/status-tables.ts';
import { startOf } from '../../times.ts';

export type ProbeDay = Selectable<ProbeDaysTable>;

/** Inserts or replaces daily totals. */
export async function upsertProbeDays(db: DbOrTx, rows: readonly Insertable<ProbeDaysTable>[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('probeDays')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['service', 'day']).doUpdateSet(({ ref }) => ({
        upS: ref('excluded.upS'),
        degradedS: ref('excluded.degradedS'),
        downS: ref('excluded.downS'),
        maintenanceS: ref('excluded.maintenanceS'),
        unknownS: ref('excluded.unknownS'),
        responses: ref('excluded.responses'),
        responseMs: ref('excluded.responseMs'),
        rolledUpAt: ref('excluded.rolledUpAt'),
      })),
    )
    .execute();
}

/** Lists days (UTC) whose totals were computed before the end of the day or within `settleS` seconds after it. */
export async function listUnfinishedDays(db: DbOrTx, settleS: number): Promise<string[]> {
  const rows = await db
    .selectFrom('probeDays')
    .select(sql<string>`day::text`.as('day'))
    .distinct()
    .where(sql<boolean>`rolled_up_at < ${startOf(sql`day`, 1)} + make_interval(secs => ${settleS})`)
    .orderBy('day')
    .execute();
  return rows.map(({ day }) => day);
}

/** Lists the daily totals since a day, oldest first. */
export const listProbeDays = (db: DbOrTx, from: string): Promise<ProbeDay[]> =>
  db
    .selectFrom('probeDays')
    .select([
      'service',
      'upS',
      'degradedS',
      'downS',
      'maintenanceS',
      'unknownS',
      'responses',
      'responseMs',
      'rolledUpAt',
    ])
    .select(sql<string>`day::text`.as('day'))
    .where('day', '>=', from)
    .orderBy('day')
    .execute();

/** Returns the first day with totals by service. */
export async function mapFirstDays(db: DbOrTx): Promise<Map<StatusService, string>> {
  const rows = await db
    .selectFrom('probeDays')
    .select('service')
    .select(sql<string>`min(day)::text`.as('day'))
    .groupBy('service')
    .execute();
  return new Map(rows.map(({ service, day }) => [service, day]));
}
