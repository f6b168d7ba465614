import type { Context } from '../context.ts';
import { listTasks, type Task } from './list-tasks.ts';

const INTERVAL_MS = 1_000;

export type Scheduler = ReturnType<typeof openScheduler>;

/** Runs what happens by itself, each task as of its due time. `onStored` is called when events were stored. */
export function openScheduler(context: Context, { onStored }: { onStored(): void }) {
  const runDue = () => {
    let task = findDueTask(context);
    if (!task) return;
    for (; task; task = findDueTask(context)) runTask(context, task);
    onStored();
  };
  const timer = setInterval(() => {
    try {
      runDue();
    } catch {
      // A bug of the double. The task has had no effect, and the next call reports the error.
    }
  }, INTERVAL_MS);
  timer.unref();
  return { runDue, close: () => clearInterval(timer) };
}

/** Returns the task that is due for the longest time. */
function findDueTask(context: Context): Task | undefined {
  return listTasks(context)
    .filter(({ due, now }) => due <= now)
    .reduce<Task | undefined>((first, task) => (first && first.due <= task.due ? first : task), undefined);
}

const runTask = (context: Context, { due, run }: Task): void =>
  context.store.transaction(() => run({ ...context, now: () => due }));
