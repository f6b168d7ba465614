import type { AiEngine } from '@uprez/contracts/engines';
import { networkFactor } from './count-passes.ts';
import { networkBytes } from './network-bytes.ts';

type Size = { width: number; height: number };
export type Tile = { core: number; overlap: number };

/** Largest core and the overlap of each network, input pixels: larger tiles run no faster. */
const tileOf: Record<AiEngine, { maxCore: number; overlap: number }> = {
  'photo-fast': { maxCore: 208, overlap: 24 },
  photo: { maxCore: 120, overlap: 24 },
  art: { maxCore: 120, overlap: 16 },
  'art-fast': { maxCore: 208, overlap: 18 },
};
const minCore = 16;
const coreStep = 8;
/** Bytes of one finished row of tiles (RGB), kept in memory until it is written. */
const stripBytes = 128 * 1024 * 1024;
/** Bytes that one tile may take inside the network. */
const tileBytes = 700 * 1024 * 1024;

export const countTiles = ({ width, height }: Size, core: number): number =>
  Math.ceil(width / core) * Math.ceil(height / core);

/**
 * The square tile that covers a picture with the least network work: `core` input pixels a side, `overlap` more of
 * context around it. Sizes are tried in steps of 8 up to what memory allows for
 * samples of `sampleBytes`.
 */
export function chooseTile(engine: AiEngine, size: Size, sampleBytes = 1): Tile {
  const { maxCore, overlap } = tileOf[engine];
  const widest = Math.floor(stripBytes / (size.width * networkFactor ** 2 * 3 * sampleBytes)) - 2 * overlap;
  const affordable = Math.floor(Math.sqrt(tileBytes / networkBytes[engine].pixel)) - 2 * overlap;
  const largest = Math.max(minCore, Math.min(maxCore, widest, affordable));
  let best = { core: minCore, work: Number.POSITIVE_INFINITY };
  for (let core = minCore; core <= largest; core += coreStep) {
    const work = countTiles(size, core) * (core + 2 * overlap) ** 2;
    if (work <= best.work) best = { core, work };
  }
  return { core: best.core, overlap };
}
