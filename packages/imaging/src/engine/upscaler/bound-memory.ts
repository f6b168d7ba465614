import { networkFactor } from '../../plan/count-passes.ts';
import type { Network } from './network.ts';

export type MemoryBound = {
  /** Resident bytes of this process above which tiles are drawn in parts; undefined: only when the network fails for memory. */
  maxBytes: number | undefined;
  /** Context around a tile's core, input pixels; the parts have the same. */
  overlap: number;
  /** Draw the very first tile in four parts, so that progress shows early. */
  startsSmall?: boolean;
  /** Called after each part of a divided tile with its share of the tile. */
  onPart?: (share: number) => void;
};

/** Smallest core that is still divided, input pixels. */
const minCore = 32;
/** What onnxruntime and Node say when memory cannot be had. */
const outOfMemory = /bad[_ ]alloc|alloc\w* (?:failed|memory)|failed to allocate|out of memory|not enough memory/i;

/**
 * The same network, which draws a tile as four of half its core while memory is short, and again by four while that fails
 * too. Once divided, tiles stay divided: what a network took it does not give back.
 */
export function boundMemory(network: Network, bound: MemoryBound): Network {
  const { maxBytes, overlap, onPart } = bound;
  let divisions = 0;
  let isFirst = bound.startsSmall ?? false;
  const run = async (tile: Float32Array, side: number): Promise<Float32Array> => {
    const isTight = maxBytes !== undefined && process.memoryUsage.rss() > maxBytes;
    if (isTight && divisions === 0) divisions = 1;
    let parts = isFirst ? Math.max(1, divisions) : divisions;
    isFirst = false;
    for (;;) {
      try {
        return await runDivided({ network, overlap, onPart }, { tile, side, divisions: parts });
      } catch (error) {
        const core = (side - 2 * overlap) / 2 ** parts;
        if (!(error instanceof Error) || !outOfMemory.test(error.message) || core < minCore) throw error;
        divisions = ++parts;
      }
    }
  };
  return { ...network, run };
}

type Divided = { tile: Float32Array; side: number; divisions: number };
type Divider = { network: Network; overlap: number; onPart?: MemoryBound['onPart'] };

/** One tile in 4^divisions parts. Each part of the result comes from the part that has the most context there. */
async function runDivided(divider: Divider, { tile, side, divisions }: Divided): Promise<Float32Array> {
  const { network, overlap } = divider;
  const core = side - 2 * overlap;
  if (divisions === 0 || core < minCore) return network.run(tile, side);
  const half = Math.ceil(core / 2);
  const partSide = half + 2 * overlap;
  const middle = Math.floor(side / 2);
  const result = new Float32Array(tile.length * networkFactor ** 2);
  const spans = [
    { origin: 0, from: 0, until: middle },
    { origin: side - partSide, from: middle, until: side },
  ];
  for (const down of spans)
    for (const across of spans) {
      const place = { x: across.origin, y: down.origin };
      const part = copySquare({ from: tile, side, ...place }, partSide);
      const drawn = await runDivided({ network, overlap }, { tile: part, side: partSide, divisions: divisions - 1 });
      divider.onPart?.(1 / 4);
      paste(result, { drawn, side, partSide, across, down });
    }
  return result;
}

type Square = { from: Float32Array; side: number; x: number; y: number };

function copySquare({ from, side, x, y }: Square, partSide: number): Float32Array {
  const part = new Float32Array(3 * partSide * partSide);
  for (let row = 0; row < 3 * partSide; row++) {
    const start = Math.floor(row / partSide) * side * side + (y + (row % partSide)) * side + x;
    part.set(from.subarray(start, start + partSide), row * partSide);
  }
  return part;
}

type Span = { origin: number; from: number; until: number };
type Pasting = { drawn: Float32Array; side: number; partSide: number; across: Span; down: Span };

function paste(result: Float32Array, { drawn, side, partSide, across, down }: Pasting): void {
  const [wide, partWide] = [side * networkFactor, partSide * networkFactor];
  const [left, right] = [across.from * networkFactor, across.until * networkFactor];
  for (let c = 0; c < 3; c++)
    for (let y = down.from * networkFactor; y < down.until * networkFactor; y++) {
      const row = (c * partWide + y - down.origin * networkFactor) * partWide - across.origin * networkFactor;
      result.set(drawn.subarray(row + left, row + right), (c * wide + y) * wide + left);
    }
}
