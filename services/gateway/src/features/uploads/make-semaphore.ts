import PQueue from 'p-queue';

/**
 * Returns a function that runs at most `concurrency` tasks per key at a time, in order. Keys are independent of each
 * other. Calls `onWait` when a task has to wait.
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
