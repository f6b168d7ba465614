/** A rectangle of a canvas, pixels. */
export type Area = { left: number; top: number; width: number; height: number };

/** Whether one area has no part of another one outside of it. */
export const covers = (one: Area, other: Area): boolean =>
  one.left <= other.left &&
  one.top <= other.top &&
  one.left + one.width >= other.left + other.width &&
  one.top + one.height >= other.top + other.height;
