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

/**
 * Returns the state that determines an account's period. `now` is the time of the statement rather than of the
 * transaction, which may have waited.
 */
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

/** Number of an allowance's units that were reversed. 0 if the allowance has no payment. */
export const reversedUnits = sql<number>`case when allowances.ref is null then 0 else (
  select coalesce(-sum(ledger.units), 0)::integer from ledger
  where ledger.allowance_id = allowances.id and ledger.kind = 'reverse') end`;

const selectOpenAllowances = prepareQuery((db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('allowances')
    .select(columns)
    .select(reversedUnits.as('reversed'))
    .where('accountId', '=', accountId)
    .where('closedAt', 'is', null)
    .orderBy('expiresAt')
    .orderBy('id'),
);

/** Lists an account's open allowances in the order in which they expire. */
export const listOpenAllowances = (db: DbOrTx, accountId: string): Promise<OpenAllowance[]> =>
  selectOpenAllowances(db, { accountId });

/** Adds an allowance. Returns undefined if the plan's allowance for this cycle already exists. */
export const insertAllowance = (tx: Tx, row: InsertObject<Tables, 'allowances'>) =>
  tx
    .insertInto('allowances')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export type AllowanceCycle = Pick<AllowanceRow, 'ref' | 'cycle' | 'startsAt'> & { expiresAt: Date };

/**
 * Reopens the closed allowance with the same invoice and cycle or, if either has no invoice, with the same start.
 * Restores the units that were left. Returns undefined if no closed allowance matches.
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

/** Changes the invoice, cycle, and times of an open allowance. */
export const updateAllowanceCycle = (tx: Tx, id: string, cycle: AllowanceCycle) =>
  tx.updateTable('allowances').set(cycle).where('id', '=', id).where('closedAt', 'is', null).execute();

/** Closes an allowance. Returns the units that were left, or undefined if it was already closed. */
export async function closeAllowance(tx: Tx, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ unitsLeft: number }>`
    with held as (select id, units_left from allowances where id = ${id} and closed_at is null for update),
    closed as (update allowances set closed_at = now(), units_left = 0 from held where allowances.id = held.id)
    select units_left from held`.execute(tx);
  return rows[0]?.unitsLeft;
}

/** Takes up to `units` unused units from an open allowance. Returns the number of units taken. */
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

const subtractUnits = prepareQuery((db, { id, units }: { id: string; units: number }) =>
  db
    .updateTable('allowances')
    .set((eb) => ({ unitsLeft: eb('unitsLeft', '-', units) }))
    .where('id', '=', id)
    .where('closedAt', 'is', null)
    .where((eb) => eb.or([eb('unitsLeft', '>=', units), eb('hardStop', '=', false)]))
    .returning('unitsLeft'),
);

/**
 * Takes units from an open allowance that has enough of them or no hard stop. Returns the units left, or undefined if
 * none were taken.
 */
export async function takeUnits(tx: Tx, id: string, units: number): Promise<number | undefined> {
  const [taken] = await subtractUnits(tx, { id, units });
  return taken?.unitsLeft;
}

/** Gives units back to an allowance. Returns undefined if it is closed. */
export const returnUnits = (tx: Tx, id: string, units: number) =>
  tx
    .updateTable('allowances')
    .set((eb) => ({ unitsLeft: eb('unitsLeft', '+', units) }))
    .where('id', '=', id)
    .where('closedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();

/** Raises an open allowance to `units` units. Returns undefined if it already has at least as many. */
export const raiseAllowance = (tx: Tx, id: string, units: number) =>
  tx
    .updateTable('allowances')
    .set((eb) => ({ units, unitsLeft: eb('unitsLeft', '+', eb(eb.val(units), '-', eb.ref('units'))), warned: 0 }))
    .where('id', '=', id)
    .where('closedAt', 'is', null)
    .where('units', '<', units)
    .returning('id')
    .executeTakeFirst();

export const setWarnedShare = (tx: Tx, id: string, share: number) =>
  tx.updateTable('allowances').set({ warned: share }).where('id', '=', id).execute();

export const findAllowance = (db: DbOrTx, id: string) =>
  db.selectFrom('allowances').selectAll().where('id', '=', id).executeTakeFirst();

/** Lists accounts with an allowance that has expired but isn't closed. */
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

export async function isInFuture(db: DbOrTx, at: Date): Promise<boolean> {
  const { rows } = await sql<{ toCome: boolean }>`select ${at}::timestamptz > now() as "toCome"`.execute(db);
  return rows[0]?.toCome ?? false;
}
