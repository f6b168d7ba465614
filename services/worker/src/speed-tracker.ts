import { type AiEngine, isAiEngine } from '@uprez/contracts/policy/engines';
import type { Receipt } from '@uprez/contracts/schemas/receipt';

/** Weight of the newest run in the running mean. */
const newestWeight = 0.3;
/** Runs of fewer tiles or strips are dominated by noise. */
const minSteps = { tiles: 4, strips: 16 };

type Run = Pick<Receipt, 'engine' | 'tile' | 'tiles' | 'strip' | 'strips' | 'stagesMs'>;

/** Track the speed of each model on this machine: a running mean of input pixels per second, overlap included. */
export function makeSpeedTracker() {
  const speeds = new Map<AiEngine, number>();
  return {
    get: (engine: AiEngine): number | undefined => speeds.get(engine),
    add: (run: Run): void => {
      const { engine, stagesMs } = run;
      const pixels = countPixels(run);
      if (!isAiEngine(engine) || pixels === 0 || !stagesMs.enlarge) return;
      const speed = (pixels * 1_000) / stagesMs.enlarge;
      const before = speeds.get(engine) ?? speed;
      speeds.set(engine, before + newestWeight * (speed - before));
    },
  };
}

/** Input pixels of the network, overlap included, or 0 for a short run. */
function countPixels({ tile, tiles, strip, strips }: Run): number {
  if (strip) return strips < minSteps.strips ? 0 : strips * strip.rows * strip.width;
  return !tile || tiles < minSteps.tiles ? 0 : tiles * (tile.core + 2 * tile.overlap) ** 2;
}
