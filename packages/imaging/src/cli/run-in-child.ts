import { availableParallelism } from 'node:os';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { FromChild } from '@uprez/contracts/schemas/child-messages';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { isReady, isReplyTo, type Reply, startChild } from '../child/start-child.ts';

export type ChildRun = {
  plan: ImagePlan;
  dir: string;
  modelsDir: string;
  signal: AbortSignal;
  onProgress: (share: number) => void;
};

const runId = 'cli';

/** Run a plan in the engine's child as the current user. Throws AppError with the child's code or `cancelled`. */
export async function runInChild({ plan, dir, modelsDir, signal, onProgress }: ChildRun): Promise<Receipt> {
  const options = { engines: [plan.engine], modelsDir, threads: availableParallelism() };
  const child = startChild('engine/child', options);
  const stop = () => child.kill('cancelled');
  signal.addEventListener('abort', stop);
  const isReply = (message: FromChild): message is Reply => {
    if (message.type === 'progress') onProgress(message.done / message.total);
    return message.type !== 'read' && isReplyTo(runId)(message);
  };
  try {
    const ready = await child.hear(isReady);
    if (ready && !ready.engines.includes(plan.engine)) throw new AppError('engine_unavailable');
    const reply = child.hear(isReply);
    child.send({ type: 'run', runId, plan, dir });
    const said = await reply;
    if (said?.type === 'done') return said.result;
    if (said?.type === 'failed') throw new AppError(said.code, { detail: said.detail });
    throw new AppError(signal.aborted ? 'cancelled' : 'processing_crashed', { cause: child.takeLog() });
  } finally {
    signal.removeEventListener('abort', stop);
    child.kill('was closed');
  }
}
