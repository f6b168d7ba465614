import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { isAiEngine, isCustomEngine, type JobEngine, type ModelEngine } from '@uprez/contracts/policy/images/engines';
import type { LimitName } from '@uprez/contracts/policy/limit-names';
import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { MessageFromChild } from '@uprez/contracts/schemas/jobs/child-messages';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { reportLimit } from '@uprez/domain/report-limit';
import { countStripPixels } from '@uprez/imaging/pipeline/choose-passes';
import {
  computeDecodeLimitMs,
  computeMemoryLimitBytes,
  computeStallLimitMs,
  computeWallLimitMs,
} from '@uprez/imaging/pipeline/estimate';
import { keepPixelChild, type PixelChild } from '@uprez/runtime/open-pixel-child';
import { threadsPerSlot } from '@uprez/runtime/settings';
import type { Deps } from './deps.ts';
import { makeEngineSet } from './engine-set.ts';

type RunInput = {
  pipeline: ImagePipeline;
  dir: string;
  /** Maximum estimated time, in seconds. The child checks it when it knows the detail of the image. */
  maxSeconds: number;
  /** Whether an earlier attempt exceeded its memory or crashed. */
  isLowered: boolean;
  /** Whether an earlier attempt was too slow. */
  isRaised: boolean;
  signal: AbortSignal;
  /** Called with the completed share of the work, from 0 to 1. */
  onProgress: (share: number) => void;
};
/**
 * `stage`: stage at which the run failed. `mayFinish`: whether a run that exceeded its time limit would finish within
 * the raised limit at the same pace.
 */
type RunFailure = { ok: false; code: ErrorCode; detail?: string; stage?: string | undefined; mayFinish?: boolean };
export type RunOutcome = { ok: true; result: Receipt } | RunFailure;

export type Slot = ReturnType<typeof openSlot>;

const limitOfRun: Partial<Record<ErrorCode, LimitName>> = {
  processing_timeout: 'run_time',
  processing_memory: 'run_memory',
  image_too_complex: 'image_complexity',
};

/** Opens a slot: one warm engine child, which is replaced when it dies and after every WORKER_RECYCLE_JOBS runs. */
export function openSlot(deps: EngineChildDeps) {
  const { config } = deps;
  const child = openEngineChild(deps);
  let runs = 0;
  const speeds = makeSpeedTracker();
  return {
    /** Returns the slot's capabilities, or undefined while the child starts for the first time or after a crash. */
    info: child.info,
    /** Returns an engine's speed in its latest runs, in input pixels per second. */
    speed: speeds.get,
    ready: child.ready,
    /** Runs a pipeline in the child. Never throws: the death of a child is an outcome. Aborting stops the run. */
    run: async (input: RunInput): Promise<RunOutcome> => {
      const { engine, auto } = input.pipeline;
      if (!child.hasModelOf(input.pipeline)) return missingModel(engine);
      const open = await child.getWith(auto?.drawings ? [engine, auto.drawings] : [engine]);
      if (input.signal.aborted) return { ok: false, code: 'processing_crashed' };
      const { pipeline, isLowered, isRaised } = input;
      const wallMs = computeWallLimitMs(pipeline, { maxJobSeconds: config.MAX_JOB_S, isLowered, isRaised });
      const raisedMs = computeWallLimitMs(pipeline, { maxJobSeconds: config.MAX_JOB_S, isRaised: true });
      if (isLowered) reportLimit('lowered_runs');
      const outcome = await superviseRun({ child: open, listen: child.listen, input, wallMs, raisedMs });
      if (outcome.ok) speeds.add(outcome.result, input.pipeline);
      const limit = outcome.ok ? undefined : limitOfRun[outcome.code];
      if (limit) reportLimit(limit);
      runs += 1;
      if (runs % config.WORKER_RECYCLE_JOBS === 0) child.recycle(open);
      return outcome;
    },
    close: child.close,
  };
}

const missingModel = (engine: JobEngine): RunFailure => ({
  ok: false,
  code: 'engine_unavailable',
  detail: `The model of "${engine}" was removed or replaced. Choose another engine.`,
});

type SupervisedRun = {
  child: PixelChild;
  input: RunInput;
  listen: (handle: (message: MessageFromChild) => void) => void;
  wallMs: number;
  /** Time limit for a run after an attempt that was too slow, in milliseconds. */
  raisedMs: number;
};

const abortGraceMs = 2_000;

/** Kills the child if it exceeds its time limit, hangs, or ignores an abort. */
function superviseRun({ child, input, listen, wallMs, raisedMs }: SupervisedRun): Promise<RunOutcome> {
  const runId = randomUUID();
  const startMs = performance.now();
  const { pipeline, dir, maxSeconds, isLowered, signal, onProgress } = input;
  const memoryBytes = computeMemoryLimitBytes(pipeline, { idleBytes: child.residentBytes(), isLowered });
  child.limitMemory(memoryBytes);
  let stage: string | undefined;
  let share = 0;
  return new Promise((resolve) => {
    const wall = setTimeout(() => child.kill('processing_timeout'), wallMs);
    const stallMs = computeStallLimitMs(pipeline);
    let stall = setTimeout(() => child.kill('processing_timeout'), stallMs);
    let grace: NodeJS.Timeout | undefined;
    const decoding = limitDecoding(child, pipeline);
    const abort = () => {
      child.send({ type: 'cancel', runId });
      grace = setTimeout(() => child.kill('processing_crashed'), abortGraceMs);
    };
    const finish = (outcome: RunOutcome) => {
      for (const timer of [wall, stall, grace]) clearTimeout(timer);
      decoding.stop();
      signal.removeEventListener('abort', abort);
      forgetExit();
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
      decoding.onStage(stage);
      clearTimeout(stall);
      stall = setTimeout(() => child.kill('processing_timeout'), stallMs);
      share = message.total > 0 ? message.done / message.total : 0;
      onProgress(share);
    });
    const forgetExit = child.onExit((code) => {
      const mayFinish = code === 'processing_timeout' && performance.now() - startMs <= share * raisedMs;
      finish({ ok: false, code, stage, mayFinish });
    });
    signal.addEventListener('abort', abort, { once: true });
    child.send({ type: 'run', runId, pipeline, dir, maxSeconds, memoryBytes });
  });
}

const pollMs = 500;
const decodeStage = 'decode';

/**
 * Limits the CPU time that a run spends until its source is decoded. Above the limit, kills the child with
 * `image_too_complex`, which isn't retried. Necessary because the structure of some files doesn't show their cost, such
 * as the frames of a JPEG XL. Call `onStage` with each stage, and `stop` at the end of the run.
 */
export function limitDecoding(child: Pick<PixelChild, 'cpuMs' | 'kill'>, pipeline: ImagePipeline) {
  const before = child.cpuMs();
  const limitMs = computeDecodeLimitMs(pipeline);
  const timer = setInterval(() => {
    if (child.cpuMs() - before > limitMs) child.kill('image_too_complex');
  }, pollMs);
  const stop = () => clearInterval(timer);
  return { stop, onStage: (stage: string) => (stage === decodeStage ? undefined : stop()) };
}

const module = createRequire(import.meta.url).resolve('@uprez/imaging/engine/child');
const readyMs = 120_000;

type EngineChildDeps = Pick<Deps, 'config' | 'jail' | 'log' | 'jobMetrics'>;

/**
 * Keeps one engine child process warm. Replaces it when it exits, when another model must be loaded, and when `recycle`
 * is called.
 */
function openEngineChild({ config, jail, log, jobMetrics }: EngineChildDeps) {
  const { MODELS_DIR: modelsDir, AI_DEVICE: devices, AI_MARK_ALWAYS: marksAlways } = config;
  const threads = threadsPerSlot(config.WORKER_CONCURRENCY);
  const engines = makeEngineSet(config);
  let isReplaced = false;
  const child = keepPixelChild({
    ...{ jail, module, readyMs, memoryBytes: limits.childMemoryBytes },
    options: () => ({ ...engines.start(), modelsDir, threads, devices, marksAlways }),
    onLog: (line) => log.warn({ line }, 'engine child wrote to stderr'),
    onExit: (code) => {
      jobMetrics.childExits.add(isReplaced ? 'recycled' : code);
      if (!isReplaced) engines.forget();
      isReplaced = false;
    },
    onStartFailed: (error) => {
      engines.forget();
      log.error({ err: error }, 'engine child failed to start');
    },
  });
  const replace = (open: PixelChild) => {
    isReplaced = true;
    open.kill('processing_crashed');
  };
  return {
    listen: child.listen,
    close: child.close,
    info: () => engines.describe(child.current()?.ready),
    /** Returns whether the custom model of a pipeline is installed. True for built-in engines. */
    hasModelOf: ({ engine, custom }: ImagePipeline): boolean =>
      !isCustomEngine(engine) || (custom !== undefined && engines.hasCustomModel(engine, custom.sha256)),
    /** Resolves when the child can run a pipeline. */
    ready: async () => void (await child.get()),
    /** Returns the child after it has loaded the installed models of these engines. */
    getWith: async (names: readonly JobEngine[]): Promise<PixelChild> => {
      const open = await child.get();
      const missing = names.filter((name) => engines.add(name, open.ready));
      if (missing.length === 0) return open;
      replace(open);
      const next = await child.get();
      for (const name of missing) engines.verify(name, next.ready);
      return next;
    },
    /** Restarts the process, which limits memory leaks in native code and unloads models that few jobs need. */
    recycle: (open: PixelChild) => {
      engines.reset();
      replace(open);
    },
  };
}

/** Weight of the latest run in the moving average. */
const newestWeight = 0.3;
/** Runs with fewer tiles or strips aren't measured, because noise dominates them. */
const minSteps = { tiles: 4, strips: 16 };

type Run = Pick<
  Receipt,
  'engine' | 'tile' | 'tiles' | 'strip' | 'strips' | 'bands' | 'stagesMs' | 'variant' | 'workingScale'
>;
type Strips = Pick<ImagePipeline, 'strip' | 'strips' | 'bands'>;

/**
 * Tracks the speed of each model on this machine, as a moving average of input pixels per second, including overlap. If
 * a model runs tiles although its pipeline has strips, the pixels of the pipeline's strips are counted.
 */
export function makeSpeedTracker() {
  const speeds = new Map<ModelEngine, number>();
  return {
    get: (engine: ModelEngine): number | undefined => speeds.get(engine),
    add: (run: Run, pipeline: Strips): void => {
      const { engine, stagesMs } = run;
      const pixels = countPixels(run, pipeline);
      if (!isAiEngine(engine) || pixels === 0 || !stagesMs.enlarge) return;
      const speed = (pixels * 1_000) / stagesMs.enlarge;
      const before = speeds.get(engine) ?? speed;
      speeds.set(engine, before + newestWeight * (speed - before));
    },
  };
}

/**
 * Returns how many input pixels the network processed, including overlap. Returns 0 for short runs. Also returns 0 for
 * drawings, because their flat tiles aren't run, and for images with parts of different sizes.
 */
function countPixels(run: Run, pipeline: Strips): number {
  const { tile, tiles, strip, strips, variant, workingScale = 1 } = run;
  if (workingScale < 1) return 0;
  if (pipeline.strip && !strip) return variant === 'int8' || tiles < minSteps.tiles ? 0 : countStripPixels(pipeline);
  if (strip) return strips < minSteps.strips ? 0 : countStripPixels(run);
  return !tile || tiles < minSteps.tiles ? 0 : tiles * (tile.core + 2 * tile.overlap) ** 2;
}
