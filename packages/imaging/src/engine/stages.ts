import { AppError } from '@uprez/contracts/errors/app-error';
import { estimateStages } from '../plan/estimate.ts';
import type { EngineJob } from './engine-job.ts';

type StageName = keyof ReturnType<typeof estimateStages>;
const total = 1_000;

/** Throw AppError `cancelled` when the run has been aborted. */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('cancelled');
}

type Report = (share: number) => void;
export type Stages = {
  /** Run one stage: checks for cancellation, measures, and maps `report(0..1)` onto the progress of the whole run. */
  run: <T>(name: StageName, work: (report: Report) => Promise<T>) => Promise<T>;
  /** Measure work that goes on beside a stage. */
  measure: <T>(name: StageName, work: () => Promise<T>) => Promise<T>;
  /** Wall milliseconds by stage, of all tries together; a step may divide its own. */
  stagesMs: Partial<Record<StageName, number>>;
};

/** Stages of a run, weighted by the planner's estimate of each, so that progress moves at an even pace. */
export function startStages({ plan, signal, onProgress }: EngineJob): Stages {
  const seconds = estimateStages(plan);
  // Resampling happens row by row behind the network: one stage of progress.
  const weights = { ...seconds, enlarge: seconds.enlarge + seconds.resample, resample: 0 };
  const whole = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
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
    run: async (name, work) => {
      throwIfCancelled(signal);
      finished.delete(name);
      const before = [...finished].reduce((sum, stage) => sum + weights[stage], 0);
      const report = (part: number) =>
        onProgress({ stage: name, done: Math.floor(((before + part * weights[name]) / whole) * total), total });
      report(0);
      const value = await measure(name, () => work(report));
      finished.add(name);
      return value;
    },
  };
}
