import { type AiEngine, isAiEngine } from '@uprez/contracts/policy/engines';
import type { Receipt } from '@uprez/contracts/schemas/receipt';

/** Weight of the newest run in the running mean. */
const newestWeight = 0.3;
/** Runs of fewer tiles are dominated by noise. */
const minTiles = 4;

/** Track the speed of each model on this machine: a running mean of input pixels per second, overlap included. */
export function makeSpeedTracker() {
  const speeds = new Map<AiEngine, number>();
  return {
    get: (engine: AiEngine): number | undefined => speeds.get(engine),
    add: ({ engine, tile, tiles, stagesMs }: Pick<Receipt, 'engine' | 'tile' | 'tiles' | 'stagesMs'>): void => {
      if (!isAiEngine(engine) || !tile || tiles < minTiles || !stagesMs.enlarge) return;
      const speed = (tiles * (tile.core + 2 * tile.overlap) ** 2 * 1_000) / stagesMs.enlarge;
      const before = speeds.get(engine) ?? speed;
      speeds.set(engine, before + newestWeight * (speed - before));
    },
  };
}
