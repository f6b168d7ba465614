import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import { factorSuffix } from '@uprez/contracts/policy/images/results';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { api } from '../../../lib/api/api.ts';
import { setUnloadGuard } from '../../../lib/browser/unload-guard.ts';
import { preferDevice } from '../../../lib/images/processing-place.ts';
import { endLocalRun, type ModelState, useLocal } from '../state/local-store.ts';
import type {
  LocalFailure,
  LocalResult,
  Probe,
  ProbeRequest,
  RunRequest,
  WorkerReply,
} from '../worker/worker-messages.ts';

const { getState, setState } = useLocal;

// Asks before leaving, because leaving the document would lose the run.
useLocal.subscribe(({ run }) => setUnloadGuard('local run', run.phase === 'running'));

let worker: ProcessWorker | undefined;
const getWorker = () => {
  worker ??= openProcessWorker();
  return worker;
};

const failureOf = (error: unknown, other: LocalFailure) => (error instanceof LocalRunError ? error.failure : other);
const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

/** Loads and measures the model, unless it is loading or ready. Starts a new worker if the last one was closed. */
export async function prepareModel(): Promise<void> {
  const { state } = getState().model;
  if (state === 'loading' || state === 'ready') return;
  setState({ model: { state: 'loading' } });
  try {
    setState({ model: await loadModel() });
  } catch (error) {
    if (isAbort(error)) return;
    console.warn('model not ready', error);
    // Closes the worker, because the runtime can't repeat a failed start. The next attempt uses a new one.
    closeWorker();
    setState({ model: { state: 'failed', failure: failureOf(error, 'download') } });
  }
}

async function loadModel(): Promise<ModelState> {
  const [model] = (await api.listLocalModels()).data;
  if (!model) return { state: 'missing' };
  return { state: 'ready', model, probe: await getWorker().probe({ kind: 'probe', model }) };
}

/** Runs a pipeline in the worker. Nothing is sent to the server. */
export async function runLocally(plan: ImagePipeline, plannedSeconds: number): Promise<void> {
  const { image, model } = getState();
  if (!image) return;
  endLocalRun();
  preferDevice();
  setState({ run: { phase: 'running', share: 0, plannedSeconds } });
  const needed = isAiEngine(plan.engine) && model.state === 'ready' ? model.model : undefined;
  const onProgress = (share: number) => setState({ run: { phase: 'running', share, plannedSeconds } });
  try {
    const request = { kind: 'run', source: image.source, plan, model: needed } as const;
    const { file, receipt, gpuFailed } = await getWorker().run(request, onProgress);
    const name = nameResult(image.source.name, plan);
    setState({ run: { phase: 'done', url: URL.createObjectURL(file), name, receipt } });
    if (gpuFailed) closeWorker();
  } catch (error) {
    if (isAbort(error)) return;
    console.warn('local run failed', error);
    endLocalRun(failureOf(error, 'unknown'));
    // Closes the worker, because the failure may have broken the runtime.
    closeWorker();
  }
}

const extensions: Partial<Record<string, string>> = { jpeg: 'jpg' };

/** `photo.jpg` becomes `photo-2x.png`, or `photo.png` if the size is unchanged. */
function nameResult(name: string, { output, source }: ImagePipeline): string {
  const factor = Math.round((output.width / source.width) * 100) / 100;
  return `${name.replace(/\.\w{1,5}$/, '')}${factorSuffix(factor)}.${extensions[output.format] ?? output.format}`;
}

function closeWorker(): void {
  worker?.close();
  worker = undefined;
  setState({ model: { state: 'none' } });
}

/** Cancels the run if one is in progress. Otherwise, removes the result. */
export function cancelLocalRun(): void {
  if (getState().run.phase === 'running') closeWorker();
  endLocalRun();
}

class LocalRunError extends Error {
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

type ProcessWorker = ReturnType<typeof openProcessWorker>;

/** Starts a worker that processes images. Closing the worker cancels its run and frees its memory immediately. */
function openProcessWorker() {
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
  // A worker fires an error event if its script can't be loaded or if it runs out of memory. Before the first reply,
  // the script is the likely cause.
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
