import { type InsertObject, type Selectable, sql } from 'kysely';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import type { UsersTable } from '../../tables/account-tables.ts';
import type { AllowancesTable } from '../../tables/usage-tables.ts';
import { now } from '../../times.ts';

export type AllowanceRow = Selectable<AllowancesTable>;

export type PlanState = Pick<
  Selectable<UsersTable>,
  'tier' | 'planVersion' | 'planFrom' | 'planUntil' | 'planRef' | 'planShare'
> & {
  anchor: Date;
  now: Date;
};

const selectPlanState = prepareQuery((db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('users')
    .select([
      'tier',
      'planVersion',
      'planFrom',
      'planUntil',
      'planRef',
      'planShare',
      sql<Date>`coalesce(period_anchor, created_at)`.as('anchor'),
      sql<Date>`clock_timestamp()`.as('now'),
    ])
    .where('id', '=', accountId),
);

/** What determines an account's period. `now` is the time of the statement, as the transaction may have waited. */
export async function findPlanState(db: DbOrTx, accountId: string): Promise<PlanState | undefined> {
  const [state] = await selectPlanState(db, { accountId });
  return state;
}

const columns = [
  'id',
  'accountId',
  'meter',
  'source',
  'tier',
  'units',
  'unitsLeft',
  'hardStop',
  'reason',
  'ref',
  'cycle',
  'startsAt',
  'expiresAt',
  'closedAt',
  'warned',
  'createdAt',
] as const satisfies readonly (keyof AllowancesTable)[];

/** `reversed`: units that were taken back because their payment was returned. */
export type OpenAllowance = AllowanceRow & { reversed: number };

/** Units that were taken back. Those without a payment never are. */
export const reversed = sql<number>`case when allowances.ref is null then 0 else (
  select coalesce(-sum(ledger.units), 0)::integer from ledger
  where ledger.allowance_id = allowances.id and ledger.kind = 'reverse') end`;

const selectOpen = prepareQuery((db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('allowances')
    .select(columns)
    .select(reversed.as('reversed'))
    .where('accountId', '=', accountId)
    .where('closedAt', 'is', null)
    .orderBy('expiresAt')
    .orderBy('id'),
);

/** An account's allowances that are not closed, in the order in which they end. */
export const listOpenAllowances = (db: DbOrTx, accountId: string): Promise<OpenAllowance[]> =>
  selectOpen(db, { accountId });

/** Adds an allowance. Undefined if the plan's of this cycle exists. */
export const insertAllowance = (tx: Tx, row: InsertObject<Tables, 'allowances'>) =>
  tx
    .insertInto('allowances')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export type AllowanceCycle = Pick<AllowanceRow, 'ref' | 'cycle' | 'startsAt'> & { expiresAt: Date };

/**
 * Reopens a closed allowance with the units that were left. It is that of the same invoice and cycle. Without an invoice, it
 * is that of the same start. Undefined if there is none.
 */
export const reopenAllowance = (
  tx: Tx,
  { accountId, tier, meter, startsAt, ref, cycle }: Pick<AllowanceRow, 'accountId' | 'tier' | 'meter'> & AllowanceCycle,
) =>
  tx
    .updateTable('allowances')
    .set({
      closedAt: null,
      unitsLeft: sql<number>`greatest(0, allowances.units + (select coalesce(sum(ledger.units), 0) from ledger
        where ledger.allowance_id = allowances.id and ledger.kind in ('reserve', 'release', 'reverse')))`,
    })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('allowances as closed')
        .select('closed.id')
        .where('accountId', '=', accountId)
        .where('tier', '=', tier)
        .where('meter', '=', meter)
        .where((either) =>
          either.or([
            either.and([either('ref', '=', ref), either('cycle', '=', cycle)]),
            either.and([
              either('startsAt', '=', startsAt),
              ref === null ? either.lit(true) : either('ref', 'is', null),
            ]),
          ]),
        )
        .where('closedAt', 'is not', null)
        .orderBy((order) => order.ref('createdAt'), 'desc')
        .limit(1),
    )
    .returningAll()
    .executeTakeFirst();

/** Sets the invoice, the cycle, and the times of an open allowance. */
export const moveAllowance = (tx: Tx, id: string, cycle: AllowanceCycle) =>
  tx.updateTable('allowances').set(cycle).where('id', '=', id).where('closedAt', 'is', null).execute();

/** Close an allowance; returns the units that were left. Undefined when it was closed before. */
export async function closeAllowance(tx: Tx, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ unitsLeft: number }>`
    with held as (select id, units_left from allowances where id = ${id} and closed_at is null for update),
    closed as (update allowances set closed_at = now(), units_left = 0 from held where allowances.id = held.id)
    select units_left from held`.execute(tx);
  return rows[0]?.unitsLeft;
}

/** Takes unused units from an open allowance, at most `units`. Returns how many. */
export async function takeUnusedUnits(tx: Tx, id: string, units: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with held as (
      select id, least(${units}::integer, greatest(0, units_left)) as taken from allowances
      where id = ${id} and closed_at is null for update
    ), lowered as (
      update allowances set units_left = units_left - taken from held where allowances.id = held.id
    )
    select taken from held`.execute(tx);
  return rows[0]?.taken ?? 0;
}

const updateUnits = prepareQuery((db, { id, units }: { id: string; units: number }) =>
  db
    .updateTable('allowances')
    .set((eb) => ({ unitsLeft: eb('unitsLeft', '-', units) }))
    .where('id', '=', id)
    .where('closedAt', 'is', null)
    .where((eb) => eb.or([eb('unitsLeft', '>=', units), eb('hardStop', '=', false)]))
    .returning('unitsLeft'),
);

/** Take units from an open allowance that has them (or has no hard stop); what is left, undefined if it hasn't. */
export async function takeUnits(tx: Tx, id: string, units: number): Promise<number | undefined> {
  const [taken] = await updateUnits(tx, { id, units });
  return taken?.unitsLeft;
}

/** Give units back to an allowance; undefined: it is closed. */
export const giveUnitsBack = (tx: Tx, id: string, units: number) =>
  tx
    .updateTable('allowances')
    .set((eb) => ({ unitsLeft: eb('unitsLeft', '+', units) }))
    .where('id', '=', id)
    .where('closedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();

/** Raises the units of an open allowance. Undefined if it has as many. */
export const raiseAllowance = (tx: Tx, id: string, units: number) =>
  tx
    .updateTable('allowances')
    .set((eb) => ({ units, unitsLeft: eb('unitsLeft', '+', eb(eb.val(units), '-', eb.ref('units'))), warned: 0 }))
    .where('id', '=', id)
    .where('closedAt', 'is', null)
    .where('units', '<', units)
    .returning('id')
    .executeTakeFirst();

export const markWarned = (tx: Tx, id: string, share: number) =>
  tx.updateTable('allowances').set({ warned: share }).where('id', '=', id).execute();

export const findAllowance = (db: DbOrTx, id: string) =>
  db.selectFrom('allowances').selectAll().where('id', '=', id).executeTakeFirst();

/** Accounts with an allowance that is over and not closed yet. */
export async function listAccountsToClose(db: DbOrTx): Promise<string[]> {
  const rows = await db
    .selectFrom('allowances')
    .select('accountId')
    .distinct()
    .where('closedAt', 'is', null)
    .where('expiresAt', '<=', now)
    .limit(500)
    .execute();
  return rows.map((row) => row.accountId);
}

export async function isToCome(db: DbOrTx, at: Date): Promise<boolean> {
  const { rows } = await sql<{ toCome: boolean }>`select ${at}::timestamptz > now() as "toCome"`.execute(db);
  return rows[0]?.toCome ?? false;
}
