import { isAiEngine, type JobEngine } from '@uprez/contracts/policy/images/engines';
import type { Engine } from '@uprez/contracts/schemas/jobs/estimate';
import type { JobLimits } from '@uprez/imaging/pipeline/job-limits';

/**
 * The site's engines as input for the planner: the engine that `auto` uses, the available and paused engines, custom models,
 * and speeds.
 */
export type SiteEngines = Pick<JobLimits, 'autoEngine' | 'enginesAvailable' | 'customModels' | 'speed'> & {
  pausedEngines?: readonly JobEngine[];
};

export const defaultEngines: SiteEngines = { autoEngine: 'photo-fast' };

/** Converts the API's engine list for the planner. */
export function makeSiteEngines(engines: readonly Engine[]): SiteEngines {
  const speeds = engines.flatMap(({ name, pixelsPerSecond }) =>
    isAiEngine(name) && pixelsPerSecond ? [[name, pixelsPerSecond] as const] : [],
  );
  return {
    autoEngine: engines.find(({ isAuto }) => isAuto)?.name ?? defaultEngines.autoEngine,
    enginesAvailable: engines.filter(({ available }) => available !== false).map(({ name }) => name),
    pausedEngines: engines.filter(({ paused }) => paused).map(({ name }) => name),
    customModels: Object.fromEntries(engines.flatMap(({ name, custom }) => (custom ? [[name, custom]] : []))),
    speed: Object.fromEntries(speeds),
  };
}
