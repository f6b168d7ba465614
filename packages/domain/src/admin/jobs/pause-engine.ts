import { AppError } from '@uprez/contracts/errors/app-error';
import { engineNames } from '@uprez/contracts/policy/engines';
import type { JobSettings } from '@uprez/contracts/schemas/job-settings';
import { catchUpPausedAccounts } from '@uprez/db/queries/jobs/virtual-times';
import type { Needs } from '../../context.ts';
import { changeJobSettings, type OperatorChange, withMember } from './change-job-settings.ts';

/**
 * Pauses an engine: its jobs are accepted, but not started. Or resumes it. Running jobs finish. Throws `not_found` and
 * the errors of `changeJobSettings`.
 */
export async function pauseEngine(
  ctx: Needs<'db' | 'settings'>,
  { engine: name, paused, ...by }: OperatorChange & { engine: string; paused: boolean },
): Promise<JobSettings> {
  const engine = engineNames.find((one) => one === name);
  if (!engine) throw new AppError('not_found');
  // Its own transaction: it locks accounts in the order of their IDs, and a change begins with the administrator's.
  const prepare = () => ctx.db.transaction().execute(catchUpPausedAccounts);
  return changeJobSettings(ctx, {
    ...by,
    prepare: paused ? undefined : prepare,
    action: paused ? 'engine.pause' : 'engine.resume',
    subject: `engine:${engine}`,
    stateOf: ({ pausedEngines }) => ({ paused: pausedEngines.includes(engine) }),
    change: (settings) => ({ ...settings, pausedEngines: withMember(settings.pausedEngines, engine, paused) }),
  });
}
