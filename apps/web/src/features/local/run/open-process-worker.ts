import type {
  LocalFailure,
  LocalResult,
  Probe,
  ProbeRequest,
  RunRequest,
  WorkerReply,
} from '../worker/worker-messages.ts';

/** Error of a run that failed in the worker. */
export class LocalRunError extends Error {
  readonly failure: LocalFailure;
  constructor(failure: LocalFailure, detail: string) {
    super(detail);
    this.failure = failure;
  }
}

type PendingCall = {
  resolve: (reply: WorkerReply) => void;
  reject: (error: Error) => void;
  onProgress: (share: number) => void;
};

export type ProcessWorker = ReturnType<typeof openProcessWorker>;

/** Starts a worker that processes images. Closing it cancels its run and frees its memory immediately. */
export function openProcessWorker() {
  const worker = new Worker(new URL('../worker/process-worker.ts', import.meta.url), {
    type: 'module',
    name: 'process-worker',
  });
  const waiting = new Map<number, PendingCall>();
  let last = 0;
  let hasReplied = false;
  const failAll = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
    hasReplied = true;
    const call = waiting.get(data.id);
    if (data.kind === 'progress') return call?.onProgress(data.share);
    waiting.delete(data.id);
    if (data.kind === 'failed') call?.reject(new LocalRunError(data.failure, data.detail));
    else call?.resolve(data);
  };
  // A worker fires an error event if its script can't be loaded or it runs out of memory.
  worker.onerror = ({ message }) => failAll(new LocalRunError(hasReplied ? 'unknown' : 'download', message));
  const ask = (request: ProbeRequest | RunRequest, onProgress: (share: number) => void = () => undefined) =>
    new Promise<WorkerReply>((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject, onProgress });
      worker.postMessage({ ...request, id });
    });
  return {
    probe: async (request: ProbeRequest): Promise<Probe> => {
      const reply = await ask(request);
      if (reply.kind !== 'ready') throw new Error(`unexpected reply ${reply.kind}`);
      return reply.probe;
    },
    run: async (request: RunRequest, onProgress: (share: number) => void): Promise<LocalResult> => {
      const reply = await ask(request, onProgress);
      if (reply.kind !== 'done') throw new Error(`unexpected reply ${reply.kind}`);
      return reply.result;
    },
    /** Ends the worker. Pending calls reject with AbortError. */
    close: () => {
      worker.terminate();
      failAll(new DOMException('The run was canceled.', 'AbortError'));
    },
  };
}
