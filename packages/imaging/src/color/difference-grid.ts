type Size = { width: number; height: number };

/** Minimum pixels per cell side, and maximum cells per side. */
const cellPixels = 8;
const maxCells = 16;

const cells = (length: number) => Math.max(1, Math.min(maxCells, Math.floor(length / cellPixels)));

/** The grid on which the colors of two images are compared: by receipts, and by the view of their difference. */
export function differenceGrid(one: Size, other: Size): { columns: number; rows: number } {
  return { columns: cells(Math.min(one.width, other.width)), rows: cells(Math.min(one.height, other.height)) };
}
