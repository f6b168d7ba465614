import { type EngineName, engineNames } from '@uprez/contracts/policy/engines';
import { type JobSettings, jobSettingsSchema } from '@uprez/contracts/schemas/job-settings';
import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';

const selectSettings = prepareQuery((db) => db.selectFrom('settings').select('value').where('name', '=', 'jobs'));

/** The paused engines and drained workers, uncached. */
export async function readJobSettings(db: DbOrTx): Promise<JobSettings> {
  const [row] = await selectSettings(db, {});
  return jobSettingsSchema.parse(row?.value ?? {});
}

const selectRules = prepareQuery(
  () => sql<{ value: unknown; hasPools: boolean }>`
    select (select value from settings where name = 'jobs') as value,
      exists (select from account_pools) or exists (select from plan_pools) as has_pools`,
);

/** The settings, and whether accounts or plans are assigned to pools: what a claim must know. Uncached. */
export async function readClaimRules(db: DbOrTx): Promise<JobSettings & { hasPools: boolean }> {
  const [row] = await selectRules(db, {});
  return { ...jobSettingsSchema.parse(row?.value ?? {}), hasPools: row?.hasPools ?? false };
}

/** The engines that aren't paused. Undefined if none is paused. */
export const runningEngines = ({ pausedEngines }: JobSettings): EngineName[] | undefined =>
  pausedEngines.length === 0 ? undefined : engineNames.filter((engine) => !pausedEngines.includes(engine));

/** Whether the engine of a job is paused. PostgreSQL reads the settings once per statement. */
export const isPaused = sql<boolean>`jobs.plan->>'engine' = any (array(
  select jsonb_array_elements_text(settings.value->'pausedEngines') from settings where settings.name = 'jobs'))`;
