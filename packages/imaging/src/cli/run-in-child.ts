import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { AppError } from '@uprez/contracts/errors/app-error';
import { type FromChild, fromChildSchema } from '@uprez/contracts/schemas/child-messages';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Receipt } from '@uprez/contracts/schemas/receipt';

/** onnxruntime would keep a diary of its use in the home folder and send it to its maker. */
const quietRuntime = { ORT_DISABLE_TELEMETRY: '1', MALLOC_ARENA_MAX: '2' };

export type ChildRun = {
  plan: ImagePlan;
  dir: string;
  modelsDir: string;
  signal: AbortSignal;
  onProgress: (share: number) => void;
};

/**
 * Run a plan in the engine's child, without the jail that the services put around it: the file is the caller's own.
 * Throws AppError with the child's code, `engine_unavailable` when the weights are missing, `processing_crashed` when
 * the child ends early; `signal` stops it.
 */
export async function runInChild(run: ChildRun): Promise<Receipt> {
  const module = createRequire(import.meta.url).resolve('@uprez/imaging/engine/child');
  const { modelsDir, plan } = run;
  const options = { engines: [plan.engine], modelsDir, threads: availableParallelism() };
  const child = fork(module, [JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
    env: quietRuntime,
  });
  const stop = () => child.kill('SIGKILL');
  run.signal.addEventListener('abort', stop);
  let log = '';
  child.stderr?.on('data', (text) => {
    log += text;
  });
  try {
    return await new Promise((resolve, reject) => {
      child.on('message', (raw) => answer(fromChildSchema.parse(raw), { child, run, resolve, reject }));
      child.once('error', reject);
      child.once('exit', () =>
        reject(new AppError(run.signal.aborted ? 'cancelled' : 'processing_crashed', { cause: log })),
      );
    });
  } finally {
    run.signal.removeEventListener('abort', stop);
    if (child.connected) child.disconnect();
  }
}

type Conversation = {
  child: ChildProcess;
  run: ChildRun;
  resolve: (result: Receipt) => void;
  reject: (error: Error) => void;
};

function answer(message: FromChild, { child, run, resolve, reject }: Conversation): void {
  const { plan, dir } = run;
  if (message.type === 'ready') {
    if (message.engines.includes(plan.engine)) child.send({ type: 'run', runId: 'cli', plan, dir });
    else reject(new AppError('engine_unavailable'));
  }
  if (message.type === 'progress') run.onProgress(message.done / message.total);
  if (message.type === 'done') resolve(message.result);
  if (message.type === 'failed') reject(new AppError(message.code, { detail: message.detail }));
}
