import type { Engine } from '@uprez/contracts/engine-list';
import { aiEngines } from '@uprez/contracts/engines';
import type { SiteEngines } from '../../lib/preview-plan.ts';

/** What the planner wants to know of the engines of the site; undefined while they are not known. */
export function siteEngines(engines: readonly Engine[] | undefined): SiteEngines | undefined {
  const auto = engines?.find(({ isAuto }) => isAuto);
  if (!engines || !auto) return undefined;
  const named = (name: string) => engines.find((engine) => engine.name === name);
  const speeds = aiEngines.flatMap((name) => {
    const speed = named(name)?.pixelsPerSecond;
    return speed ? [[name, speed] as const] : [];
  });
  const enginesAvailable = engines.filter(({ available }) => available !== false).map(({ name }) => name);
  return { autoEngine: auto.name, enginesAvailable, speed: Object.fromEntries(speeds) };
}
