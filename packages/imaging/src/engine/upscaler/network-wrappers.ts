import { createHash } from 'node:crypto';
import { networkFactor } from '../../pipeline/choose-passes.ts';
import type { Network } from './network.ts';

type MemoryLimit = {
  /**
   * Resident memory of this process above which tiles are divided, in bytes. If undefined, tiles are divided only when
   * an allocation fails.
   */
  maxBytes: number | undefined;
  /** Context around the core of a tile, in input pixels. Parts of a divided tile have the same overlap. */
  overlap: number;
  /** Whether to divide the first tile into four parts, for early progress. */
  startsSmall?: boolean;
  /** Called after each part of a divided tile, with the part's share of the tile's work. */
  onPart?: (share: number) => void;
};

/** Side of the smallest core that is divided, in input pixels. */
const minCore = 32;
const outOfMemoryPattern =
  /bad[_ ]alloc|alloc\w* (?:failed|memory)|failed to allocate|out of memory|not enough memory/i;

/** Whether an error reports a failed allocation, either in a network or of an array. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && outOfMemoryPattern.test(error.message);

/**
 * Wraps a network to divide tiles into four when memory is low. Later tiles stay divided, because networks don't free
 * memory.
 */
export function limitMemory(network: Network, { maxBytes, overlap, onPart, ...limit }: MemoryLimit): Network {
  let divisions = 0;
  let isFirst = limit.startsSmall ?? false;
  const run = async (tile: Float32Array, side: number): Promise<Float32Array> => {
    const isLow = maxBytes !== undefined && process.memoryUsage.rss() > maxBytes;
    if (isLow && divisions === 0) divisions = 1;
    let parts = isFirst ? Math.max(1, divisions) : divisions;
    isFirst = false;
    for (;;) {
      try {
        return await runDividedTile({ network, overlap, onPart }, { tile, side, divisions: parts });
      } catch (error) {
        const core = (side - 2 * overlap) / 2 ** parts;
        if (!isOutOfMemory(error) || core < minCore) throw error;
        divisions = ++parts;
      }
    }
  };
  return { ...network, run };
}

type DividedTile = { tile: Float32Array; side: number; divisions: number };
type DivideContext = { network: Network; overlap: number; onPart?: MemoryLimit['onPart'] };

/** Runs one tile in 4^`divisions` parts. Takes each quarter of the result from the part with the most context there. */
async function runDividedTile(
  { network, overlap, onPart }: DivideContext,
  { tile, side, divisions }: DividedTile,
): Promise<Float32Array> {
  const core = side - 2 * overlap;
  if (divisions === 0 || core < minCore) return network.run(tile, side);
  const partSide = Math.ceil(core / 2) + 2 * overlap;
  const middle = Math.floor(side / 2);
  const result = new Float32Array(tile.length * networkFactor ** 2);
  const spans = [
    { origin: 0, from: 0, until: middle },
    { origin: side - partSide, from: middle, until: side },
  ];
  for (const down of spans)
    for (const across of spans) {
      const part = new Float32Array(3 * partSide * partSide);
      for (let row = 0; row < 3 * partSide; row++) {
        const plane = Math.floor(row / partSide) * side * side;
        const start = plane + (down.origin + (row % partSide)) * side + across.origin;
        part.set(tile.subarray(start, start + partSide), row * partSide);
      }
      const output = await runDividedTile(
        { network, overlap },
        { tile: part, side: partSide, divisions: divisions - 1 },
      );
      onPart?.(1 / 4);
      pastePart(result, { output, side, partSide, across, down });
    }
  return result;
}

type Span = { origin: number; from: number; until: number };
type PasteInput = { output: Float32Array; side: number; partSide: number; across: Span; down: Span };

function pastePart(result: Float32Array, { output, side, partSide, across, down }: PasteInput): void {
  const [wide, partWide] = [side * networkFactor, partSide * networkFactor];
  const [left, right] = [across.from * networkFactor, across.until * networkFactor];
  for (let c = 0; c < 3; c++)
    for (let y = down.from * networkFactor; y < down.until * networkFactor; y++) {
      const row = (c * partWide + y - down.origin * networkFactor) * partWide - across.origin * networkFactor;
      result.set(output.subarray(row + left, row + right), (c * wide + y) * wide + left);
    }
}

/**
 * Wraps a network with an LRU cache for up to `maxBytes` of results, for the static parts of animations. Only identical
 * inputs share a result.
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
    // Reinserting a key makes it the newest in the map.
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
