type Edges = { top: number; bottom: number; right: number };
type Room = { width: number; height: number };

/** Pixels: what a toast takes at the window's lower right corner. */
const toast: Room = { width: 420, height: 140 };

/** How far above the window's bottom a toast stands, so that it covers no bar with the action of a page; pixels. */
export function clearOfBars(bars: readonly Edges[], { width, height }: Room): number {
  let clear = 0;
  for (const { top, bottom, right } of bars.toSorted((one, other) => other.bottom - one.bottom)) {
    const isBeside = right <= width - toast.width;
    const isAway = top >= height - clear || bottom <= height - clear - toast.height;
    // There has to be room for it above.
    if (!isBeside && !isAway && top >= toast.height) clear = height - top;
  }
  return clear;
}
