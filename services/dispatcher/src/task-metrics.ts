import type { Deps } from './deps.ts';

/** Returns a function that counts what scheduled tasks did, such as the leases of lost workers that expired. */
export function openTaskMetrics({ metrics }: Pick<Deps, 'metrics'>): (task: string, count: number) => void {
  const items = metrics.counter({
    name: 'scheduled_task_items_total',
    help: 'Rows and files that scheduled tasks of this dispatcher changed, by task.',
    labels: ['task'],
    initial: [{ task: 'requeue-expired-leases' }],
  });
  return (task, count) => items.add({ task }, count);
}
