export type Box = Readonly<Record<'top' | 'bottom' | 'left' | 'right', number>>;

type OffsetInput = {
  /** Rectangles that must stay visible, relative to the window. */
  obstacles: readonly Box[];
  /** Left edge, right edge, and height of the box to place, in pixels. */
  box: { left: number; right: number; height: number };
  /** Height of the window, in pixels. */
  height: number;
  from: 'top' | 'bottom';
  /** Minimum distance from the edge, in pixels. */
  start: number;
};

/**
 * Returns the distance from an edge of the window at which a box covers no obstacle, in pixels. Returns `start` if the
 * box would cover an obstacle everywhere.
 */
export function findClearOffset({ obstacles, box, height, from, start }: OffsetInput): number {
  const beside = ({ left, right }: Box) => right <= box.left || left >= box.right;
  const spans = obstacles
    .filter((obstacle) => !beside(obstacle))
    .map(({ top, bottom }) =>
      from === 'top' ? { near: top, far: bottom } : { near: height - bottom, far: height - top },
    )
    .toSorted((one, other) => one.near - other.near);
  let offset = start;
  for (const { near, far } of spans) if (near < offset + box.height && far > offset) offset = far;
  return offset + box.height <= height ? offset : start;
}
