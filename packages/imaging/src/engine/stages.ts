import { AppError } from '@uprez/contracts/errors/app-error';
import type { ModelEngine } from '@uprez/contracts/policy/images/engines';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { estimateStages } from '../pipeline/estimate.ts';
import type { Network } from './upscaler/network.ts';

type StageName = keyof ReturnType<typeof estimateStages>;
const total = 1_000;

/** Throws AppError `cancelled` if the signal is aborted. */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('cancelled');
}

export type Stages = {
  /** Runs a stage. Checks for cancellation, measures the time, and maps `report(0..1)` to the progress of the run. */
  run: <T>(name: StageName, work: (report: (share: number) => void) => Promise<T>) => Promise<T>;
  measure: <T>(name: StageName, work: () => Promise<T>) => Promise<T>;
  /** Lowers the network's share of the progress, because it processes only this share of the image's pixels. */
  reduceNetwork: (share: number) => void;
  /** Wall-clock milliseconds by stage, over all attempts. */
  stagesMs: Partial<Record<StageName, number>>;
};

/** Starts the stages of a run. Each stage's share of the progress is proportional to its estimated time. */
export function startStages({ pipeline, signal, onProgress }: EngineJob): Stages {
  const seconds = estimateStages(pipeline);
  // Combines both stages for progress, because rows are resampled while the network is running.
  const weights = { ...seconds, enlarge: seconds.enlarge + seconds.resample, resample: 0 };
  const stagesMs: Stages['stagesMs'] = {};
  const finished = new Set<StageName>();
  const measure: Stages['measure'] = async (name, work) => {
    const start = performance.now();
    const value = await work();
    stagesMs[name] = (stagesMs[name] ?? 0) + performance.now() - start;
    return value;
  };
  return {
    stagesMs,
    measure,
    reduceNetwork: (share) => {
      weights.enlarge = share * seconds.enlarge + seconds.resample;
    },
    run: async (name, work) => {
      throwIfCancelled(signal);
      finished.delete(name);
      const before = [...finished].reduce((sum, stage) => sum + weights[stage], 0);
      const whole = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
      const report = (part: number) =>
        onProgress({ stage: name, done: Math.floor(((before + part * weights[name]) / whole) * total), total });
      report(0);
      const value = await measure(name, () => work(report));
      finished.add(name);
      return value;
    },
  };
}

/** Progress of a run. `stage`: the current stage. `done` and `total`: progress over all stages. */
export type Progress = { stage: string; done: number; total: number };

/** One run of the engine. `dir` contains `source`. `result` and `thumbnail.webp` are written to it. */
export type EngineJob = {
  pipeline: ImagePipeline;
  dir: string;
  networks: Partial<Record<ModelEngine, Network>>;
  /** Maximum estimated time, in seconds. It is checked when the detail of the image is known. */
  maxSeconds?: number | undefined;
  /** Resident memory of this process, in bytes, above which tiles become smaller. */
  memoryBytes?: number;
  /** Whether results of models are marked as such even if no metadata is kept. True by default. */
  marksAlways?: boolean;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
};

const intervalMs = 200;

/**
 * Forwards progress when the stage changes, and otherwise at most five times per second. Progress never decreases
 * within a stage.
 */
export function throttleProgress(send: (progress: Progress) => void): (progress: Progress) => void {
  let last = { stage: '', done: -1, at: Number.NEGATIVE_INFINITY };
  return (progress) => {
    const isNewStage = progress.stage !== last.stage;
    const now = performance.now();
    if (progress.done <= last.done && !isNewStage) return;
    if (now - last.at < intervalMs && !isNewStage) return;
    last = { stage: progress.stage, done: progress.done, at: now };
    send(progress);
  };
}
