import { type EngineName, isAiEngine } from '@uprez/contracts/policy/engines';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { chooseTile, countTiles } from './choose-tile.ts';
import { countPasses, networkFactor } from './count-passes.ts';

type Size = { width: number; height: number };
export type PassesInput = { engine: EngineName; used: Size; factor: number; frames: number; bitDepth: number };

/** The network's part of a plan. All passes use one tile, chosen for the last and largest. */
export function planPasses({
  engine,
  used,
  factor,
  frames,
  bitDepth,
}: PassesInput): Pick<ImagePlan, 'passes' | 'tile' | 'tiles'> {
  const passes = countPasses(engine, factor);
  if (!isAiEngine(engine)) return { passes, tile: null, tiles: 0 };
  const inputs = Array.from({ length: passes }, (_, pass) => ({
    width: used.width * networkFactor ** pass,
    height: used.height * networkFactor ** pass,
  }));
  const tile = chooseTile(engine, inputs.at(-1) ?? used, bitDepth / 8);
  const tiles = inputs.reduce((sum, size) => sum + countTiles(size, tile.core), 0);
  return { passes, tile, tiles: tiles * frames };
}
