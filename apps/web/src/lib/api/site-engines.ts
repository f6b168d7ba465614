import { isAiEngine } from '@uprez/contracts/policy/engines';
import type { Engine } from '@uprez/contracts/schemas/engine-list';
import type { JobLimits } from '@uprez/imaging/plan/job-limits';

/** The engines of the site as the planner wants them: what `auto` runs, which can be run, how fast. */
export type SiteEngines = Pick<JobLimits, 'autoEngine' | 'enginesAvailable' | 'speed'>;

/** What is taken as long as the site's own engines are not known. */
export const usualEngines: SiteEngines = { autoEngine: 'photo-fast' };

/** The engines as the site told them, as fast as they ran last. */
export function makeSiteEngines(engines: readonly Engine[]): SiteEngines {
  const speeds = engines.flatMap(({ name, pixelsPerSecond }) =>
    isAiEngine(name) && pixelsPerSecond ? [[name, pixelsPerSecond] as const] : [],
  );
  return {
    autoEngine: engines.find(({ isAuto }) => isAuto)?.name ?? usualEngines.autoEngine,
    enginesAvailable: engines.filter(({ available }) => available !== false).map(({ name }) => name),
    speed: Object.fromEntries(speeds),
  };
}
