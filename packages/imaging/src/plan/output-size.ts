type Size = { width: number; height: number };

/** Output size of a factor: each side rounded on its own, at least one pixel. */
export const outputSize = ({ width, height }: Size, factor: number): Size => ({
  width: Math.max(1, Math.round(width * factor)),
  height: Math.max(1, Math.round(height * factor)),
});
