import type { Tile } from '../../plan/choose-tile.ts';

/** One tile along one side, in source pixels. */
export type TileSpan = {
  /** First pixel of the tile's input; may lie outside the image. The input is `core + 2 x overlap` long. */
  origin: number;
  /** What of its output is used: `from` up to `until`; the first `fade` pixels are mixed with the tile before. */
  from: number;
  until: number;
  fade: number;
};

/**
 * Tiles of one size along a side of `length` pixels. The last one moves back inside the image rather than being
 * padded; neighbours are mixed over `fade` pixels on each side of the border between their cores.
 */
export function layTiles(length: number, { core, overlap, fade }: Tile): TileSpan[] {
  const count = Math.ceil(length / core);
  return Array.from({ length: count }, (_, i) => {
    const isLast = i === count - 1;
    const from = i === 0 ? 0 : i * core - fade;
    return {
      origin: Math.max(0, Math.min(i * core, length - core)) - overlap,
      from,
      until: isLast ? length : Math.min(length, (i + 1) * core + fade),
      fade: i === 0 ? 0 : Math.min(length, i * core + fade) - from,
    };
  });
}

/** Where a pixel outside 0..length-1 is mirrored to; the edge pixel itself is not repeated. */
export function mirror(i: number, length: number): number {
  if (length === 1) return 0;
  const period = 2 * (length - 1);
  const inside = ((i % period) + period) % period;
  return inside < length ? inside : period - inside;
}
