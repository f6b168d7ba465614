import { networkFactor } from '../../plan/count-passes.ts';
import type { Network } from './network.ts';

/**
 * The same network, which is not asked for tiles of one colour (paper, sky clipped to white, borders): they become that
 * colour. Once the light of each part is kept, that is at most 1/255 from what `photo-fast` draws. Nearly flat tiles are
 * no use: for a range of 1/255 in the input the network is 3 to 6/255 away from a resampled tile.
 */
export function fillFlatTiles(network: Network): Network {
  const run = async (tile: Float32Array, side: number) => {
    const plane = side * side;
    if (!isFlat(tile, plane)) return network.run(tile, side);
    const result = new Float32Array(tile.length * networkFactor ** 2);
    for (let c = 0; c < 3; c++)
      result.fill(tile[c * plane] as number, c * plane * networkFactor ** 2, (c + 1) * plane * networkFactor ** 2);
    return result;
  };
  return { ...network, run };
}

/** Whether each of the three planes has one value. */
function isFlat(tile: Float32Array, plane: number): boolean {
  for (let c = 0; c < tile.length; c += plane)
    for (let i = 1; i < plane; i++) if (tile[c + i] !== tile[c]) return false;
  return true;
}
