import { AppError } from '@uprez/contracts/errors/app-error';
import { type JobSettings, workerNamePattern } from '@uprez/contracts/schemas/job-settings';
import type { Needs } from '../../context.ts';
import { changeJobSettings, type OperatorChange, withMember } from './change-job-settings.ts';

type Drain = OperatorChange & { draining: boolean };

/** Lets all workers finish what they run and start nothing more, or resumes them. Throws the errors of `changeJobSettings`. */
export const drainWorkers = (ctx: Needs<'db' | 'settings'>, { draining, ...by }: Drain): Promise<JobSettings> =>
  changeJobSettings(ctx, {
    ...by,
    action: draining ? 'worker.drain' : 'worker.resume',
    subject: 'worker:all',
    stateOf: ({ drainsAll }) => ({ drained: drainsAll }),
    change: (settings) => ({ ...settings, drainsAll: draining }),
  });

/**
 * The same for the workers of one name, also after they restart. Throws `not_found` for a text that can't be a name, and
 * the errors of `changeJobSettings`.
 */
export async function drainWorker(
  ctx: Needs<'db' | 'settings'>,
  { name, draining, ...by }: Drain & { name: string },
): Promise<JobSettings> {
  if (!workerNamePattern.test(name)) throw new AppError('not_found');
  return changeJobSettings(ctx, {
    ...by,
    action: draining ? 'worker.drain' : 'worker.resume',
    subject: `worker:${name}`,
    stateOf: ({ drainedWorkers }) => ({ drained: drainedWorkers.includes(name) }),
    change: (settings) => ({ ...settings, drainedWorkers: withMember(settings.drainedWorkers, name, draining) }),
  });
}
