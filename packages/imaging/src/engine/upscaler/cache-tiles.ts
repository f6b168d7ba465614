import { createHash } from 'node:crypto';
import type { Network } from './network.ts';

/**
 * Wrap a network with an LRU cache of up to `maxBytes` of results, for the static parts of animations. Only identical inputs
 * share a result.
 */
export function cacheTiles(network: Network, maxBytes: number): Network {
  const cache = new Map<string, Float32Array>();
  let bytes = 0;
  const run = async (tile: Float32Array, side: number) => {
    const key = createHash('sha1')
      .update(new Uint8Array(tile.buffer, tile.byteOffset, tile.byteLength))
      .digest('hex');
    const found = cache.get(key);
    const result = found ?? (await network.run(tile, side));
    // Reinserting a key makes it the newest of the map.
    cache.delete(key);
    cache.set(key, result);
    if (!found) bytes += result.byteLength;
    for (const [oldest, { byteLength }] of cache) {
      if (bytes <= maxBytes || cache.size === 1) break;
      cache.delete(oldest);
      bytes -= byteLength;
    }
    return result;
  };
  return { ...network, run };
}
