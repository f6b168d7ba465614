import type { ChainThreads } from '@uprez/imaging/browser/chain/open-chain';
import { withTimeout } from '../../../lib/browser/with-timeout.ts';
import type { WorkerReply, WorkerRequest } from './worker-messages.ts';

/** For scripts that are in the browser's cache. */
const patienceMs = 10_000;

/** Workers with the script of this one that help it to run the model. They start with the first run, and end with this one. */
export function openHelpers(count: number): ChainThreads {
  let workers: Worker[] | undefined;
  return {
    count,
    start: async (setup) => {
      workers ??= Array.from({ length: count }, openHelper);
      const started = workers.map((worker, i) => ask(worker, { id: 0, kind: 'help', setup, thread: i + 1 }));
      await withTimeout(Promise.all(started), patienceMs);
    },
  };
}

const openHelper = () => new Worker(self.location.href, { type: 'module', name: 'process-worker' });

function ask(worker: Worker, request: WorkerRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<WorkerReply>) =>
      data.kind === 'failed' ? reject(new Error(data.detail)) : resolve();
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(request);
  });
}
