import { type AiEngine, isAiEngine } from '@uprez/contracts/policy/images/engines';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { stripPixels } from '@uprez/imaging/pipeline/choose-passes';

/** Weight of the latest run in the moving average. */
const newestWeight = 0.3;
/** Minimum tiles or strips of a run that is measured, because noise dominates shorter runs. */
const minSteps = { tiles: 4, strips: 16 };

type Run = Pick<Receipt, 'engine' | 'tile' | 'tiles' | 'strip' | 'strips' | 'bands' | 'stagesMs' | 'variant'>;
type Strips = Pick<ImagePipeline, 'strip' | 'strips' | 'bands'>;

/**
 * Tracks the speed of each model on this machine: a moving average of input pixels per second, including overlap. A
 * model without strips runs tiles even if its pipeline has strips, so the pixels of the pipeline count.
 */
export function makeSpeedTracker() {
  const speeds = new Map<AiEngine, number>();
  return {
    get: (engine: AiEngine): number | undefined => speeds.get(engine),
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
 * Returns the input pixels of the network, including overlap. Returns 0 for short runs, and for drawings, whose flat
 * tiles aren't run.
 */
function countPixels(run: Run, pipeline: Strips): number {
  const { tile, tiles, strip, strips, variant } = run;
  if (pipeline.strip && !strip) return variant === 'int8' || tiles < minSteps.tiles ? 0 : stripPixels(pipeline);
  if (strip) return strips < minSteps.strips ? 0 : stripPixels(run);
  return !tile || tiles < minSteps.tiles ? 0 : tiles * (tile.core + 2 * tile.overlap) ** 2;
}
