import { createHash } from 'node:crypto';
import type { Network } from './network.ts';

/**
 * The same network, which draws a tile it has drawn before from memory: the parts of an animation that do not move.
 * Exact: only equal inputs share a result. Keeps up to `maxBytes` of results; those unused for longest go first.
 */
export function rememberTiles(network: Network, maxBytes: number): Network {
  const known = new Map<string, Float32Array>();
  let bytes = 0;
  const run = async (tile: Float32Array, side: number) => {
    const key = createHash('sha1')
      .update(new Uint8Array(tile.buffer, tile.byteOffset, tile.byteLength))
      .digest('hex');
    const found = known.get(key);
    const result = found ?? (await network.run(tile, side));
    // Deleted and set again, a key becomes the newest of the map.
    known.delete(key);
    known.set(key, result);
    if (!found) bytes += result.byteLength;
    for (const [oldest, { byteLength }] of known) {
      if (bytes <= maxBytes || known.size === 1) break;
      known.delete(oldest);
      bytes -= byteLength;
    }
    return result;
  };
  return { ...network, run };
}
