import { type AnomalyRule, type AnomalyState, anomalyLimits, failureKinds } from '@uprez/contracts/policy/admin/logs';
import type { AnomalyFacts } from '@uprez/contracts/schemas/admin/logs';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { countRows, type Page, readKeysetPage } from '../../keyset.ts';
import type { AnomaliesTable } from '../../tables/access-tables.ts';
import { now } from '../../times.ts';

export type AnomalyRow = Omit<Selectable<AnomaliesTable>, 'evidence'> &
  AnomalyFacts & { userAgent: string | null; acknowledgedByEmail: string | null };

const evidenceField = <T>(name: string) => sql<T>`anomalies.evidence ->> ${sql.lit(name)}`;

const selectWithFacts = (db: DbOrTx) =>
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
      evidenceField<string | null>('key').as('key'),
      evidenceField<string | null>('address').as('address'),
      evidenceField<string | null>('country').as('country'),
      evidenceField<string | null>('agent').as('userAgent'),
      sql<number | null>`(anomalies.evidence ->> 'median')::double precision`.as('median'),
    ]);

type AnomalyFilter = { status?: AnomalyState | undefined };

const newestFirst = { column: 'anomalies.foundAt', type: 'time', direction: 'desc' } as const;

/** Lists a page of the anomalies, newest first. */
export function listAnomalies(
  db: DbOrTx,
  { status, ...page }: AnomalyFilter & Page,
): Promise<(AnomalyRow & { sortValue: number })[]> {
  const all = selectWithFacts(db);
  const query = status ? all.where('anomalies.acknowledgedAt', status === 'open' ? 'is' : 'is not', null) : all;
  return readKeysetPage(query, { order: newestFirst, id: 'anomalies.id', ...page });
}

export function countAnomalies(db: DbOrTx, { status }: AnomalyFilter): Promise<number> {
  const query = db.selectFrom('anomalies');
  return countRows(status ? query.where('acknowledgedAt', status === 'open' ? 'is' : 'is not', null) : query);
}

/** Counts the anomalies that nobody has acknowledged. */
export const countOpenAnomalies = (db: DbOrTx): Promise<number> => countAnomalies(db, { status: 'open' });

export const hasPendingAnomalies = async (db: DbOrTx): Promise<boolean> =>
  (await db.selectFrom('anomalies').select('id').where('mailedAt', 'is', null).limit(1).executeTakeFirst()) !==
  undefined;

/** Locks the anomalies about which the owners haven't been notified, oldest first. */
export const lockPendingAnomalies = (tx: Tx): Promise<AnomalyRow[]> =>
  selectWithFacts(tx)
    .where('anomalies.mailedAt', 'is', null)
    .orderBy('anomalies.foundAt')
    .orderBy('anomalies.id')
    .forNoKeyUpdate('anomalies')
    .execute();

export async function setAnomaliesMailed(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.updateTable('anomalies').set({ mailedAt: now }).where('id', 'in', ids).execute();
}

export const lockAnomaly = (tx: Tx, id: string): Promise<AnomalyRow | undefined> =>
  selectWithFacts(tx).where('anomalies.id', '=', id).forNoKeyUpdate('anomalies').executeTakeFirst();

export async function acknowledgeAnomaly(tx: Tx, { id, actorId, note }: Record<'id' | 'actorId' | 'note', string>) {
  await tx
    .updateTable('anomalies')
    .set({ acknowledgedBy: actorId, acknowledgedAt: now, note })
    .where('id', '=', id)
    .execute();
}

const { failures, failureMinutes, keyFactor, keyCalls, keyDays, keyHours } = anomalyLimits;
const { lookBackHours, lookBackDays, reopenFactor } = anomalyLimits;

/**
 * Returns the start of the period that the rules must search: `lookBackHours` before the last successful run of their
 * task, but at most `lookBackDays` ago.
 */
export async function readWindowStart(db: DbOrTx, task: string): Promise<Date> {
  const { rows } = await sql<{ since: Date }>`
    select greatest(
      least(now(), (select last_succeeded_at from scheduled_tasks where name = ${task}))
        - make_interval(hours => ${lookBackHours}),
      now() - make_interval(days => ${lookBackDays})) as since`.execute(db);
  return rows[0]?.since ?? new Date();
}

const utcDayOf = (at: RawBuilder<unknown>) => sql`(${at} at time zone 'utc')::date`;

type Rule = (since: Date) => RawBuilder<unknown>;

/**
 * Finds sign-ins whose network or country differs from that of all earlier sign-ins of the account. An account's first
 * sign-in doesn't count.
 */
const makeNewSignInRule =
  (column: 'network' | 'country', condition: RawBuilder<unknown>): Rule =>
  (since) => {
    const ref = sql.ref(column);
    const earlier = sql`select from access_events earlier where earlier.user_id = event.user_id and earlier.kind = 'sign_in'
    and (earlier.at, earlier.id) < (event.at, event.id)`;
    return sql`
    select 'user:' || user_id as subject, user_id, ${utcDayOf(sql`at`)} as day, count(*) as count,
      (array_agg(jsonb_build_object('at', at, 'address', address, 'network', network, 'country', country, 'agent', agent)
        order by at desc))[1] as evidence
    from access_events event
    where kind = 'sign_in' and at > ${since} and user_id is not null and ${ref} is not null and ${condition}
      and exists (${earlier} and earlier.${ref} is not null)
      and not exists (${earlier} and earlier.${ref} = event.${ref})
    group by user_id, ${utcDayOf(sql`at`)}`;
  };

/**
 * Finds the days on which a subject failed too often within `failureMinutes`, with the highest number of failures on
 * each day.
 */
const makeFailureRule =
  (column: 'userId' | 'address', { subject, userId }: Record<'subject' | 'userId', RawBuilder<unknown>>): Rule =>
  (since) => {
    const ref = sql.ref(column);
    return sql`
    select ${subject} as subject, ${userId} as user_id, ${utcDayOf(sql`at`)} as day, max(recent) as count,
      jsonb_build_object('from', min(at), 'to', max(at), 'address', max(address)) as evidence
    from (
      select at, user_id, address, count(*) over (
        partition by ${ref} order by at range between make_interval(mins => ${failureMinutes}) preceding and current row
      ) as recent
      from access_events
      where kind in (${sql.join(failureKinds.map((kind) => sql.lit(kind)))}) and ${ref} is not null
        and at > ${since}::timestamptz - make_interval(mins => ${failureMinutes})
    ) failed
    where recent >= ${failures} and at > ${since}
    group by ${ref}, ${utcDayOf(sql`at`)}`;
  };

const thisHour = sql`date_trunc('hour', now(), 'UTC')`;

/** Finds keys that made many more calls in an hour than the median of their earlier hours with calls. */
const keyBursts: Rule = (since) => sql`
  select 'key:' || recent.key_id as subject, api_keys.account_id as user_id, ${utcDayOf(sql`recent.hour`)} as day,
    max(recent.calls) as count,
    jsonb_build_object('median', max(usual.median), 'key', max(api_keys.name), 'hour', max(recent.hour)) as evidence
  from api_key_hours recent
  join api_keys on api_keys.id = recent.key_id
  cross join lateral (
    select percentile_cont(0.5) within group (order by calls) as median, count(*) as hours
    from api_key_hours earlier
    where earlier.key_id = recent.key_id and earlier.hour < least(recent.hour, ${thisHour} - interval '1 hour')
      and earlier.hour > recent.hour - make_interval(days => ${keyDays})
  ) usual
  where recent.hour >= least(date_trunc('hour', ${since}::timestamptz, 'UTC'), ${thisHour} - interval '1 hour')
    and recent.calls >= ${keyCalls}
    and usual.hours >= ${keyHours} and recent.calls >= ${keyFactor} * usual.median
  group by recent.key_id, api_keys.account_id, ${utcDayOf(sql`recent.hour`)}`;

const rulesByName: Record<AnomalyRule, Rule[]> = {
  new_network: [makeNewSignInRule('network', sql`new_device`)],
  new_country: [makeNewSignInRule('country', sql`true`)],
  failures: [
    makeFailureRule('userId', { subject: sql`'user:' || user_id`, userId: sql`user_id` }),
    makeFailureRule('address', { subject: sql`'address:' || address`, userId: sql`null::uuid` }),
  ],
  key_burst: [keyBursts],
};

/**
 * Stores the anomalies that a rule finds after `since`, once per subject and day (UTC). A larger count replaces the
 * stored one. An acknowledged anomaly is reopened when its count reaches `reopenFactor` times the acknowledged count.
 */
export async function upsertAnomalies(db: DbOrTx, rule: AnomalyRule, since: Date): Promise<void> {
  for (const find of rulesByName[rule])
    await sql`
      insert into anomalies (rule, subject, user_id, day, count, evidence)
      select ${sql.lit(rule)}, subject, user_id, day, count, evidence from (${find(since)}) found
      on conflict (rule, subject, day) do update set count = excluded.count, evidence = excluded.evidence,
        found_at = case when anomalies.acknowledged_at is null then anomalies.found_at else now() end,
        mailed_at = case when anomalies.acknowledged_at is null then anomalies.mailed_at end,
        acknowledged_at = null, acknowledged_by = null, note = null
        where excluded.count > anomalies.count
          and (anomalies.acknowledged_at is null or excluded.count >= ${reopenFactor} * anomalies.count)`.execute(db);
}
