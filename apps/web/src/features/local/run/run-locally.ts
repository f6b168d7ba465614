import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import { factorSuffix } from '@uprez/contracts/policy/images/naming';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { api } from '../../../lib/api/api.ts';
import { setUnloadGuard } from '../../../lib/browser/unload-guard.ts';
import { preferDevice } from '../../../lib/images/processing-place.ts';
import { endLocalRun, type ModelState, useLocal } from '../state/local-store.ts';
import type { LocalFailure } from '../worker/worker-messages.ts';
import { LocalRunError, openProcessWorker, type ProcessWorker } from './open-process-worker.ts';

const { getState, setState } = useLocal;

// Leaving the document would lose the run.
useLocal.subscribe(({ run }) => setUnloadGuard('local run', run.phase === 'running'));

let worker: ProcessWorker | undefined;
const getWorker = () => {
  worker ??= openProcessWorker();
  return worker;
};

const failureOf = (error: unknown, other: LocalFailure) => (error instanceof LocalRunError ? error.failure : other);
const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

/** Loads and measures the model, unless that is done or in progress. Starts a new worker if the last one was closed. */
export async function prepareModel(): Promise<void> {
  const { state } = getState().model;
  if (state === 'loading' || state === 'ready') return;
  setState({ model: { state: 'loading' } });
  try {
    setState({ model: await loadModel() });
  } catch (error) {
    if (isAbort(error)) return;
    console.warn('model not ready', error);
    // The runtime can't repeat a failed start, so the next attempt needs a new worker.
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
    // The failure may have broken the runtime.
    closeWorker();
  }
}

const extensions: Partial<Record<string, string>> = { jpeg: 'jpg' };

/** Returns the file name of the result: `photo.jpg` becomes `photo-2x.png`, or `photo.png` at the same scale. */
function nameResult(name: string, { output, source }: ImagePipeline): string {
  const factor = Math.round((output.width / source.width) * 100) / 100;
  return `${name.replace(/\.\w{1,5}$/, '')}${factorSuffix(factor)}.${extensions[output.format] ?? output.format}`;
}

function closeWorker(): void {
  worker?.close();
  worker = undefined;
  setState({ model: { state: 'none' } });
}

/** Cancels the run if one is in progress, else removes its result. */
export function cancelLocalRun(): void {
  if (getState().run.phase === 'running') closeWorker();
  endLocalRun();
}
