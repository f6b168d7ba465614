import type { Size } from '../../lib/format/format.ts';

/** A position in an image, as fractions of its width and height. */
export type Place = { x: number; y: number };
type Pixels = Size & { data: Uint8ClampedArray };

/**
 * Cells per side of the grid in which contrast is measured. The most detailed part of the image is the window of
 * `windowCells` by `windowCells` cells with the highest contrast.
 */
const gridSize = 16;
const windowCells = 4;
/** Longer side of the copy that is measured, in pixels. */
const maxCopySide = 256;

/**
 * Returns the total contrast between neighboring pixels (RGBA) in each cell. Contrast is the difference in luma
 * (BT.601).
 */
function measureCells({ data, width, height }: Pixels): Float64Array {
  const luma = (x: number, y: number) => {
    const at = 4 * (y * width + x);
    return 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
  };
  const cells = new Float64Array(gridSize * gridSize);
  for (let y = 0; y < height - 1; y++)
    for (let x = 0; x < width - 1; x++) {
      const here = luma(x, y);
      const contrast = Math.abs(luma(x + 1, y) - here) + Math.abs(luma(x, y + 1) - here);
      const cell = Math.floor((y * gridSize) / height) * gridSize + Math.floor((x * gridSize) / width);
      cells[cell] = (cells[cell] ?? 0) + contrast;
    }
  return cells;
}

/** Returns the center of the window with the highest contrast, or the center of the image if all are equal. */
export function findDetail(pixels: Pixels): Place {
  const cells = measureCells(pixels);
  const contrastOf = (left: number, top: number) => {
    let sum = 0;
    for (let y = top; y < top + windowCells; y++)
      for (let x = left; x < left + windowCells; x++) sum += cells[y * gridSize + x] ?? 0;
    return sum;
  };
  const last = gridSize - windowCells;
  let best = { left: last / 2, top: last / 2, contrast: contrastOf(last / 2, last / 2) };
  for (let top = 0; top <= last; top++)
    for (let left = 0; left <= last; left++) {
      const contrast = contrastOf(left, top);
      if (contrast > best.contrast) best = { left, top, contrast };
    }
  return { x: (best.left + windowCells / 2) / gridSize, y: (best.top + windowCells / 2) / gridSize };
}

async function findDetailInImage(url: string, { width, height }: Size): Promise<Place> {
  const image = new Image();
  image.src = url;
  await image.decode();
  // A result with a different aspect ratio shows the center of the original.
  const used = Math.min(image.naturalWidth / width, image.naturalHeight / height);
  const [usedWidth, usedHeight] = [width * used, height * used];
  const scale = maxCopySide / Math.max(usedWidth, usedHeight);
  const copy = { width: Math.ceil(usedWidth * scale), height: Math.ceil(usedHeight * scale) };
  const context = new OffscreenCanvas(copy.width, copy.height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser has no canvas.');
  const [left, top] = [(image.naturalWidth - usedWidth) / 2, (image.naturalHeight - usedHeight) / 2];
  context.drawImage(image, left, top, usedWidth, usedHeight, 0, 0, copy.width, copy.height);
  return findDetail(context.getImageData(0, 0, copy.width, copy.height));
}

const detailCache = new Map<string, Promise<Place>>();

/**
 * Returns the most detailed place in an original, as fractions of the result's width and height. `size`: size of the
 * result, which may show only part of the original. Caches the promise per image and size. Never rejects: falls back to
 * the center if measuring fails.
 */
export function loadDetail(url: string, size: Size): Promise<Place> {
  const key = `${size.width}x${size.height} ${url}`;
  const place = detailCache.get(key) ?? findDetailInImage(url, size).catch(() => ({ x: 0.5, y: 0.5 }));
  detailCache.set(key, place);
  return place;
}
