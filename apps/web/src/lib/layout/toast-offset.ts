type Edges = { top: number; bottom: number; right: number };
type Room = { width: number; height: number };

/** Space that a toast takes in the lower right corner, in pixels. */
const toast: Room = { width: 420, height: 140 };

/** Distance of a toast from the bottom of the window, in pixels, so that it covers no action bar. */
export function toastOffset(bars: readonly Edges[], { width, height }: Room): number {
  let clear = 0;
  for (const { top, bottom, right } of bars.toSorted((one, other) => other.bottom - one.bottom)) {
    const isBeside = right <= width - toast.width;
    const isAway = top >= height - clear || bottom <= height - clear - toast.height;
    // The toast needs room above the bar.
    if (!isBeside && !isAway && top >= toast.height) clear = height - top;
  }
  return clear;
}
