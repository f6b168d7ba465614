import { differenceGrid } from '@uprez/imaging/color/difference-grid';
import type { Size } from '../../lib/format/format.ts';
import { type CellDifferences, makeCellDifferences } from './cell-differences.ts';
import { paintDifferences } from './difference-map.ts';

/** Longest side of the copies that are compared, pixels. */
const copySide = 640;
/** Pixels of the smaller image per pixel of a copy, along a side: nobody sees the difference of a single pixel, such as noise. */
const smoothing = 2;
/** Rows that are compared before the browser may respond to input. */
const sliceRows = 16;
/** Behind transparent areas, as in the fidelity of receipts. */
const background = '#808080';

export type DifferenceMap = {
  /** Object URL of the heat map. */
  url: string;
} & CellDifferences;

type Compared = { before: string; after: string /** Of `after`. */; size: Size; signal: AbortSignal };

async function loadImage(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

/** Scale the center of an image that has the shape of `copy` down to its size. */
function readCopy(image: HTMLImageElement, copy: Size): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(copy.width, copy.height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser has no canvas.');
  context.imageSmoothingQuality = 'high';
  context.fillStyle = background;
  context.fillRect(0, 0, copy.width, copy.height);
  const scale = Math.min(image.naturalWidth / copy.width, image.naturalHeight / copy.height);
  const [width, height] = [copy.width * scale, copy.height * scale];
  const [left, top] = [(image.naturalWidth - width) / 2, (image.naturalHeight - height) / 2];
  context.drawImage(image, left, top, width, height, 0, 0, copy.width, copy.height);
  return context;
}

/**
 * Make a heat map of the color difference between an original and its result, both scaled down to the same size: half of the
 * smaller one, and at most `copySide` pixels per side. Its numbers are those of receipts: of the mean colors of cells. Rejects
 * when an image can't be read, or with the reason of the signal.
 */
export async function measureDifference({ before, after, size, signal }: Compared): Promise<DifferenceMap> {
  const images = await Promise.all([before, after].map(loadImage));
  const [original, result] = images as [HTMLImageElement, HTMLImageElement];
  const smaller = Math.min(1, original.naturalWidth / size.width, original.naturalHeight / size.height);
  const scale = Math.min(smaller / smoothing, copySide / Math.max(size.width, size.height));
  const copy = { width: Math.ceil(size.width * scale), height: Math.ceil(size.height * scale) };
  const [wanted, found] = [readCopy(original, copy), readCopy(result, copy)];
  const grid = differenceGrid({ width: original.naturalWidth, height: original.naturalHeight }, size);
  // The copy of a long strip may have fewer rows or columns than the grid.
  const cells = makeCellDifferences(copy, {
    columns: Math.min(grid.columns, copy.width),
    rows: Math.min(grid.rows, copy.height),
  });
  for (let top = 0; top < copy.height; top += sliceRows) {
    const rows = Math.min(sliceRows, copy.height - top);
    const [one, other] = [wanted, found].map((context) => context.getImageData(0, top, copy.width, rows));
    if (!one || !other) break;
    cells.add(one.data, other.data, top);
    paintDifferences(one.data, other.data);
    found.putImageData(other, 0, top);
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
  const url = URL.createObjectURL(await found.canvas.convertToBlob());
  return { url, ...cells.finish() };
}
