import type { Size } from '../format/format.ts';

export type Transform = { scale: number; positionX: number; positionY: number };

/** Where a side begins after zooming about its middle: centred while it is small, without a gap while it is large. */
function begin(side: number, position: number, { from, to }: { from: number; to: number }): number {
  if (to <= 1) return (side * (1 - to)) / 2;
  const kept = side / 2 - ((side / 2 - position) * to) / from;
  return Math.min(0, Math.max(side * (1 - to), kept));
}

/** A view of a box at exactly another scale, with what is in the middle kept there as far as the edges allow. */
export function zoomAbout({ scale: from, positionX, positionY }: Transform, to: number, box: Size): Transform {
  return {
    scale: to,
    positionX: begin(box.width, positionX, { from, to }),
    positionY: begin(box.height, positionY, { from, to }),
  };
}
