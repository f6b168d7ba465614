import type { StatusService } from '@uprez/contracts/policy/status';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { ProbeDaysTable } from '../../tables/status-tables.ts';
import { startOf } from '../../times.ts';

export type ProbeDay = Selectable<ProbeDaysTable>;

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

/** Lists days (UTC) with totals that were computed before the day ended or within `settleS` seconds after its end. */
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

/** Returns the first day that has totals, by service. */
export async function mapFirstDays(db: DbOrTx): Promise<Map<StatusService, string>> {
  const rows = await db
    .selectFrom('probeDays')
    .select('service')
    .select(sql<string>`min(day)::text`.as('day'))
    .groupBy('service')
    .execute();
  return new Map(rows.map(({ service, day }) => [service, day]));
}
