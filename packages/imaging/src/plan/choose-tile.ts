import type { AiEngine } from '@uprez/contracts/policy/engines';
import { networkFactor } from './count-passes.ts';
import { networkBytes } from './network-bytes.ts';

type Size = { width: number; height: number };
export type Tile = {
  /** Input pixels a side that this tile is for. */
  core: number;
  /** Context around it on each side. */
  overlap: number;
  /** Pixels on each side of the border between two cores in which both tiles are mixed. */
  fade: number;
};

type Traits = { maxCore: number; overlap: number; fade: number };
/**
 * Largest core, overlap and fade of each network, input pixels. The fast networks see no farther than their overlap (the
 * radius in `models/manifest.ts`), so tiles fit exactly. The others see 94 and 349 pixels far: their tiles are mixed.
 */
const tileOf: Record<AiEngine, Traits> = {
  'photo-fast': { maxCore: 256, overlap: 34, fade: 0 },
  photo: { maxCore: 104, overlap: 32, fade: 8 },
  art: { maxCore: 120, overlap: 24, fade: 6 },
  'art-fast': { maxCore: 256, overlap: 18, fade: 0 },
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
 * The square tile that covers an image with the least network work: `core` input pixels a side, `overlap` more of
 * context around it. Sizes are tried in steps of 8 up to what memory allows for samples of
 * `sampleBytes`.
 */
export function chooseTile(engine: AiEngine, size: Size, sampleBytes = 1): Tile {
  const { maxCore, overlap, fade } = tileOf[engine];
  const widest = Math.floor(stripBytes / (size.width * networkFactor ** 2 * 3 * sampleBytes)) - 2 * overlap;
  const affordable = Math.floor(Math.sqrt(tileBytes / networkBytes[engine].pixel)) - 2 * overlap;
  const largest = Math.max(minCore, Math.min(maxCore, widest, affordable));
  let best = { core: minCore, work: Number.POSITIVE_INFINITY };
  for (let core = minCore; core <= largest; core += coreStep) {
    const work = countTiles(size, core) * (core + 2 * overlap) ** 2;
    if (work <= best.work) best = { core, work };
  }
  return { core: best.core, overlap, fade };
}
