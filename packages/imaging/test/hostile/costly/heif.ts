import { guardedSharp } from '../../../src/decoders.ts';
import { box, clap, ispe, makeGrid, makeHeif, u8, u32 } from '../heif-file.ts';

/** Returns an AVIF grid of `across` x `across` tiles, all of one item, of which it shows a part. */
export async function makeAvifGrid({
  side = 64,
  across = 2,
  shown = side * across,
}: {
  side?: number;
  across?: number;
  shown?: number;
}): Promise<Buffer> {
  const options = { create: { width: side, height: side, channels: 3, background: '#456' } } as const;
  const still = await guardedSharp(options).avif({ effort: 0 }).toBuffer();
  const cut = (type: string) => {
    const at = still.indexOf(type);
    return still.subarray(at + 4, at - 4 + still.readUInt32BE(at - 4));
  };
  const pixi = box('pixi', u8(0, 0, 0, 0, 3, 8, 8, 8));
  const tile = { type: 'av01', data: cut('mdat'), properties: [box('av1C', cut('av1C')), ispe(side, side), pixi] };
  const data = Buffer.concat([u8(0, 1, across - 1, across - 1), u32(shown, shown)]);
  const to = Array<number>(across * across).fill(1);
  const grid = { type: 'grid', data, properties: [ispe(shown, shown), pixi], to };
  return makeHeif({ brand: 'avif', primary: 2, items: [tile, grid] });
}

/** Returns a HEIC grid of tiles of 64 x 64 pixels that shows one pixel. */
export function makeCroppedHeic({ columns = 4, rows = 4 }): Buffer {
  const size = { width: columns * 64, height: rows * 64 };
  return makeGrid({ columns, rows, ...size, tiles: 1, properties: [clap(1, 1, [1, 1])] });
}
