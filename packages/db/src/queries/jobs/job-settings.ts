import { engineNames, isCustomEngine, type JobEngine } from '@uprez/contracts/policy/images/engines';
import { type JobSettings, jobSettingsSchema } from '@uprez/contracts/schemas/admin/workers';
import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';

const selectSettings = prepareQuery((db) => db.selectFrom('settings').select('value').where('name', '=', 'jobs'));

/** Reads the paused engines and drained workers from the database, without a cache. */
export async function readJobSettings(db: DbOrTx): Promise<JobSettings> {
  const [row] = await selectSettings(db, {});
  return jobSettingsSchema.parse(row?.value ?? {});
}

/**
 * Returns the engines that aren't paused, or undefined if none is paused. The custom engines are those of the stored
 * workers. Jobs for a custom model that no worker has wait until no engine is paused, and then fail.
 */
export async function listRunningEngines(db: DbOrTx, { pausedEngines }: JobSettings): Promise<JobEngine[] | undefined> {
  if (pausedEngines.length === 0) return undefined;
  const { rows } = await sql<{ name: string }>`
    select distinct unnest(engines) as name from workers order by name`.execute(db);
  const custom = rows.map(({ name }) => name).filter(isCustomEngine);
  return [...engineNames, ...custom].filter((engine) => !pausedEngines.includes(engine));
}

/** Whether a job's engine is paused. PostgreSQL reads the settings once per statement, not once per job. */
export const isEnginePaused = sql<boolean>`jobs.plan->>'engine' = any (array(
  select jsonb_array_elements_text(settings.value->'pausedEngines') from settings where settings.name = 'jobs'))`;
