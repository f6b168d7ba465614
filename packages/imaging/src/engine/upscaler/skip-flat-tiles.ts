import { networkFactor } from '../../pipeline/choose-passes.ts';
import type { Network } from './network.ts';

/**
 * Wraps a network to fill tiles of a single color (paper, clipped sky, borders) without running the network. After
 * color matching, the result differs from the result of `photo-fast` by at most 1/255. Nearly flat tiles aren't
 * skipped: if the input has a range of 1/255, the network's result differs from a resampled tile by 3/255 to 6/255.
 */
export function skipFlatTiles(network: Network): Network {
  const run = async (tile: Float32Array, side: number) => {
    if (!isFlat(tile, side ** 2)) return network.run(tile, side);
    const plane = (side * networkFactor) ** 2;
    const result = new Float32Array(3 * plane);
    for (let c = 0; c < 3; c++) result.fill(tile[c * side ** 2] as number, c * plane, (c + 1) * plane);
    return result;
  };
  return { ...network, run };
}

function isFlat(tile: Float32Array, plane: number): boolean {
  for (let c = 0; c < tile.length; c += plane)
    for (let i = 1; i < plane; i++) if (tile[c + i] !== tile[c]) return false;
  return true;
}
