import { randomUUID } from 'node:crypto';
import {
  claimDueTasks,
  ensureScheduledTasks,
  releaseTask,
  renewTaskLeases,
} from '@uprez/db/queries/instance/scheduled-tasks';
import type { Needs } from '@uprez/domain/context';
import { repeat } from '@uprez/runtime/repeat';

export type ScheduledTask = {
  name: string;
  everyS: number;
  /**
   * Must be idempotent, because a task starts again elsewhere if its lease expires. A returned number is logged as a
   * count.
   */
  run: () => Promise<unknown>;
};

/** Lease duration, after which a process that stops responding loses its tasks. */
const leaseS = 15;
/** Maximum concurrent tasks of one process. Less than the default of DATABASE_POOL. */
const concurrency = 6;

/** `onItems`: called with the count that a task returns, unless the count is 0. */
type SchedulerOptions = {
  tasks: readonly ScheduledTask[];
  pollMs: number;
  onItems: (task: string, count: number) => void;
};

/** Runs tasks at their intervals. For each run, one dispatcher holds a lease, and renews it with every poll. */
export function openTaskScheduler(
  ctx: Needs<'db' | 'log'>,
  { tasks, pollMs, onItems }: SchedulerOptions,
): { close: () => Promise<void> } {
  const holder = randomUUID();
  const running = new Map<string, Promise<void>>();
  let isRegistered = false;
  const poll = async () => {
    if (!isRegistered) await ensureScheduledTasks(ctx.db, tasks);
    isRegistered = true;
    if (running.size > 0) await renewTaskLeases(ctx.db, { holder, leaseS });
    const names = tasks.map(({ name }) => name).filter((name) => !running.has(name));
    const claimed = await claimDueTasks(ctx.db, { names, holder, leaseS, limit: concurrency - running.size });
    for (const task of tasks)
      if (claimed.includes(task.name))
        running.set(
          task.name,
          runTask({ ...ctx, onItems }, holder, task).finally(() => running.delete(task.name)),
        );
  };
  const polling = repeat(pollMs, poll, (error) => ctx.log.warn({ err: error }, 'polling for scheduled tasks failed'));
  return {
    close: async () => {
      await polling.close();
      await Promise.all(running.values());
    },
  };
}

type RunContext = Needs<'db' | 'log'> & Pick<SchedulerOptions, 'onItems'>;

async function runTask(ctx: RunContext, holder: string, { name, everyS, run }: ScheduledTask): Promise<void> {
  const release = (error?: string) =>
    releaseTask(ctx.db, { name, everyS }, { holder, error }).catch((reason: unknown) =>
      ctx.log.warn({ err: reason, task: name }, 'releasing a scheduled task failed'),
    );
  try {
    const count = await run();
    if (typeof count === 'number' && count > 0) {
      ctx.onItems(name, count);
      ctx.log.info({ task: name, count }, 'scheduled task completed');
    }
    await release();
  } catch (error) {
    ctx.log.warn({ err: error, task: name }, 'scheduled task failed');
    await release(String(error));
  }
}
