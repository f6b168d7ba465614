import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { engineNames, isAiEngine } from '@uprez/contracts/policy/engines';
import { limits } from '@uprez/contracts/policy/limits';
import type { FromChild } from '@uprez/contracts/schemas/child-messages';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { memoryLimitBytes, wallLimitMs } from '@uprez/imaging/plan/estimate';
import { listModels } from '@uprez/models/locate-model';
import type { PixelChild } from '@uprez/runtime/open-pixel-child';
import { keepPixelChild } from '@uprez/runtime/open-pixel-child';
import { threadsPerSlot } from '@uprez/runtime/settings';
import type { Deps } from './deps.ts';
import { makeSpeedTracker } from './speed-tracker.ts';

const module = createRequire(import.meta.url).resolve('@uprez/imaging/engine/child');
const readyMs = 120_000;
const minStallMs = 60_000;

export type RunInput = {
  plan: ImagePlan;
  dir: string;
  /** A run that has exceeded a limit or crashed before. */
  isLowered: boolean;
  signal: AbortSignal;
  /** Called with the completed share of the work, 0-1. */
  onProgress: (share: number) => void;
};
/** `stage`: where a run failed. */
type RunFailure = { ok: false; code: ErrorCode; detail?: string; stage?: string | undefined };
export type RunOutcome = { ok: true; result: Receipt } | RunFailure;

export type Slot = ReturnType<typeof openSlot>;

/** A child without progress for ten times the estimate of a tile, and at least a minute, is considered hung. */
const stallMs = (plan: ImagePlan) => Math.max(minStallMs, (10_000 * plan.estimate.seconds) / Math.max(1, plan.tiles));

type SlotDeps = Pick<Deps, 'config' | 'jail' | 'log' | 'jobMetrics'>;

/** Open a slot: one warm engine child, replaced when it dies and after every WORKER_RECYCLE_JOBS runs. */
export function openSlot({ config, jail, log, jobMetrics }: SlotDeps) {
  const installed = listModels(config.MODELS_DIR);
  // The operator's engine is requested even when its model is missing, so that the child logs an error.
  const engines = engineNames.filter(
    (name) => !isAiEngine(name) || name === config.AI_ENGINE || installed.includes(name),
  );
  const threads = threadsPerSlot(config.WORKER_CONCURRENCY);
  let isRecycled = false;
  const child = keepPixelChild({
    ...{ jail, module, readyMs },
    options: { engines, modelsDir: config.MODELS_DIR, threads, devices: config.AI_DEVICE },
    memoryBytes: limits.childMemoryBytes,
    onLog: (line) => log.warn({ line }, 'engine child wrote to stderr'),
    onExit: (code) => {
      jobMetrics.childExits.add({ child: 'pixels', reason: isRecycled ? 'recycled' : code });
      isRecycled = false;
    },
    onStartFailed: (error) => log.error({ err: error }, 'engine child failed to start'),
  });
  let runs = 0;
  const speeds = makeSpeedTracker();
  return {
    /** Capabilities of the child; undefined while it (re)starts. */
    info: () => child.current()?.ready,
    /** Input pixels per second in the latest runs of an engine. */
    speed: speeds.get,
    /** Resolves when the child can run a plan. */
    ready: async () => void (await child.get()),
    /** Run a plan in the child. Never throws: the death of a child is an outcome. Aborting stops the run. */
    run: async (input: RunInput): Promise<RunOutcome> => {
      const open = await child.get();
      if (input.signal.aborted) return { ok: false, code: 'processing_crashed' };
      const wallMs = wallLimitMs(input.plan, { maxJobSeconds: config.MAX_JOB_S, isLowered: input.isLowered });
      const outcome = await superviseRun({ child: open, listen: child.listen, input, wallMs });
      if (outcome.ok) speeds.add(outcome.result);
      runs += 1;
      // Restarting the process bounds leaks of native code.
      if (runs % config.WORKER_RECYCLE_JOBS === 0) {
        isRecycled = true;
        open.kill('processing_crashed');
      }
      return outcome;
    },
    close: child.close,
  };
}

type Supervised = {
  child: PixelChild;
  input: RunInput;
  listen: (handle: (message: FromChild) => void) => void;
  wallMs: number;
};

const abortGraceMs = 2_000;

/** Send a plan to the child and wait for its outcome. The child is killed when it exceeds its wall time, hangs, or ignores an abort. */
function superviseRun({ child, input, listen, wallMs }: Supervised): Promise<RunOutcome> {
  const runId = randomUUID();
  const { plan, dir, isLowered, signal, onProgress } = input;
  const memoryBytes = memoryLimitBytes(plan, { idleBytes: child.residentBytes(), isLowered });
  child.limitMemory(memoryBytes);
  let stage: string | undefined;
  return new Promise((resolve) => {
    const wall = setTimeout(() => child.kill('processing_timeout'), wallMs);
    let stall = setTimeout(() => child.kill('processing_timeout'), stallMs(plan));
    let grace: NodeJS.Timeout | undefined;
    const abort = () => {
      child.send({ type: 'cancel', runId });
      grace = setTimeout(() => child.kill('processing_crashed'), abortGraceMs);
    };
    const finish = (outcome: RunOutcome) => {
      for (const timer of [wall, stall, grace]) clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      listen(() => {});
      child.limitMemory();
      resolve(outcome);
    };
    listen((message) => {
      if (!('runId' in message) || message.runId !== runId) return;
      if (message.type === 'done') finish({ ok: true, result: message.result });
      if (message.type === 'failed') finish({ ok: false, code: message.code, detail: message.detail, stage });
      if (message.type !== 'progress') return;
      stage = message.stage;
      clearTimeout(stall);
      stall = setTimeout(() => child.kill('processing_timeout'), stallMs(plan));
      onProgress(message.total > 0 ? message.done / message.total : 0);
    });
    void child.exited.then((code) => finish({ ok: false, code, stage }));
    signal.addEventListener('abort', abort, { once: true });
    child.send({ type: 'run', runId, plan, dir, memoryBytes });
  });
}
