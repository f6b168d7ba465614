import type { Tile } from '../../plan/plan-passes.ts';

/** One tile along one side, source pixels. */
export type TileSpan = {
  /** First pixel of the input, which may lie outside the image. The input has `core + 2 x overlap` pixels. */
  origin: number;
  /** The used part of the output. Its first `fade` pixels are blended with the previous tile. */
  from: number;
  until: number;
  fade: number;
};

/** Divide a side into tiles of one size, blended at their borders. The last tile is moved back into the image. */
export function makeTileSpans(length: number, { core, overlap, fade }: Tile): TileSpan[] {
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

/** Mirror a position outside 0..length-1 into the image, without repeating the edge pixel. */
export function mirror(i: number, length: number): number {
  if (length === 1) return 0;
  const period = 2 * (length - 1);
  const inside = ((i % period) + period) % period;
  return inside < length ? inside : period - inside;
}
