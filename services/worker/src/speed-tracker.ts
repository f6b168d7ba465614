import { type AiEngine, isAiEngine } from '@uprez/contracts/policy/engines';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { stripPixels } from '@uprez/imaging/plan/plan-strips';

/** Weight of the newest run in the running mean. */
const newestWeight = 0.3;
/** Runs of fewer tiles or strips are dominated by noise. */
const minSteps = { tiles: 4, strips: 16 };

type Run = Pick<Receipt, 'engine' | 'tile' | 'tiles' | 'strip' | 'strips' | 'bands' | 'stagesMs' | 'variant'>;
type Planned = Pick<ImagePlan, 'strip' | 'strips' | 'bands'>;

/**
 * Track the speed of each model on this machine: a running mean of planned input pixels per second, overlap included. Models
 * without strips run their tiles for a plan that has strips, so the pixels of the plan count.
 */
export function makeSpeedTracker() {
  const speeds = new Map<AiEngine, number>();
  return {
    get: (engine: AiEngine): number | undefined => speeds.get(engine),
    add: (run: Run, plan: Planned): void => {
      const { engine, stagesMs } = run;
      const pixels = countPixels(run, plan);
      if (!isAiEngine(engine) || pixels === 0 || !stagesMs.enlarge) return;
      const speed = (pixels * 1_000) / stagesMs.enlarge;
      const before = speeds.get(engine) ?? speed;
      speeds.set(engine, before + newestWeight * (speed - before));
    },
  };
}

/** Planned input pixels of the network, overlap included, or 0 for a short run, and for drawings, whose flat tiles aren't run. */
function countPixels(run: Run, plan: Planned): number {
  const { tile, tiles, strip, strips, variant } = run;
  if (plan.strip && !strip) return variant === 'int8' || tiles < minSteps.tiles ? 0 : stripPixels(plan);
  if (strip) return strips < minSteps.strips ? 0 : stripPixels(run);
  return !tile || tiles < minSteps.tiles ? 0 : tiles * (tile.core + 2 * tile.overlap) ** 2;
}
