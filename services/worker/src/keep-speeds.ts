import { type AiEngine, isAiEngine } from '@uprez/contracts/policy/engines';
import type { Receipt } from '@uprez/contracts/schemas/receipt';

/** Weight of the newest run in the running mean. */
const newest = 0.3;
/** Runs of fewer tiles tell more of the machine's noise than of its speed. */
const minTiles = 4;

/** How fast each network runs on this machine, input pixels a second (overlap included): a running mean over receipts. */
export function keepSpeeds() {
  const speeds = new Map<AiEngine, number>();
  return {
    get: (engine: AiEngine): number | undefined => speeds.get(engine),
    add: ({ engine, tile, tiles, stagesMs }: Pick<Receipt, 'engine' | 'tile' | 'tiles' | 'stagesMs'>): void => {
      if (!isAiEngine(engine) || !tile || tiles < minTiles || !stagesMs.enlarge) return;
      const speed = (tiles * (tile.core + 2 * tile.overlap) ** 2 * 1_000) / stagesMs.enlarge;
      const before = speeds.get(engine) ?? speed;
      speeds.set(engine, before + newest * (speed - before));
    },
  };
}
