import type { Size } from '../format/format.ts';

export type Transform = { scale: number; positionX: number; positionY: number };

/**
 * Position of a side after zooming around its center: centered while it is smaller than the box, without a gap
 * otherwise.
 */
function begin(side: number, position: number, { from, to }: { from: number; to: number }): number {
  if (to <= 1) return (side * (1 - to)) / 2;
  const kept = side / 2 - ((side / 2 - position) * to) / from;
  return Math.min(0, Math.max(side * (1 - to), kept));
}

/** Zooms a view to a scale. Keeps the center in place as far as the edges allow. */
export function zoomAroundCenter({ scale: from, positionX, positionY }: Transform, to: number, box: Size): Transform {
  return {
    scale: to,
    positionX: begin(box.width, positionX, { from, to }),
    positionY: begin(box.height, positionY, { from, to }),
  };
}
