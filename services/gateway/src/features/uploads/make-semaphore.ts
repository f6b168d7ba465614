import PQueue from 'p-queue';

/**
 * Runs at most `concurrency` tasks of one key at a time, in their order; keys are independent of each other. Calls
 * `onWait` when a task has to wait.
 */
export function makeSemaphore(concurrency: number, onWait?: () => void) {
  const queues = new Map<string, PQueue>();
  return <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? new PQueue({ concurrency }).on('idle', () => queues.delete(key));
    queues.set(key, queue);
    if (queue.pending >= concurrency) onWait?.();
    return queue.add(task);
  };
}
