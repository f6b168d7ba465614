import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { describeHeif, listTopBoxes } from '../../heif/describe-heif.ts';
import { countAv1Pixels } from '../../heif/read-av1-config.ts';
import { countStep, type TakeStep } from '../../heif/read-boxes.ts';
import { type Item, type Meta, readMeta } from '../../heif/read-meta.ts';
import { readSize } from '../../heif/read-properties.ts';
import { sumBytes } from '../../heif/read-stored-image.ts';
import { findPngPixels } from '../count-frames.ts';
import { readNumbers, readTiff, type Tiff, tiffTag, usesJpeg } from '../read-tiff.ts';
import type { WorkBudget } from '../work-budget.ts';
import { countJpegPixels } from './jpeg-scans.ts';
import { countJxlPixels } from './jxl-pixels.ts';
import { toEquivalentPixels } from './to-equivalent-pixels.ts';

/**
 * Number of ordinary pixels that take as long to decode as one Lab pixel. Lab is slower, because our own code converts
 * it.
 */
const labPixelCost = 8;
/**
 * Maximum cost of an ordinary file, relative to its pixels. Ordinary files cost somewhat more than their pixels, for
 * example because of the margins of tiles.
 */
const ordinaryCostRatio = 1.25;

/**
 * Returns the number of pixels in an ordinary image of the same format that takes as long to decode as this file.
 * Returns undefined if this isn't much more than the image's own pixels. Throws AppError `corrupt_image`, or
 * `image_too_complex` for files that no encoder writes.
 */
export function countDecodedPixels(file: Buffer, image: Inspection, budget: WorkBudget): number | undefined {
  const { width, height, frames } = image;
  const pixels = countPixels(file, image, budget);
  return pixels > ordinaryCostRatio * width * height * frames ? pixels : undefined;
}

function countPixels(file: Buffer, image: Inspection, budget: WorkBudget): number {
  const { format, width, height, bitDepth } = image;
  if (format === 'jpeg') return countJpegPixels(file);
  if (format === 'tiff') {
    const pixels = countTiffPixels(file, readTiff(file, { budget }), image);
    return image.space === 'lab' ? Math.max(pixels, labPixelCost * width * height) : pixels;
  }
  if (format === 'heic') return countHeicPixels(file, () => budget.take('heic'));
  if (format === 'avif') return countAvifPixels(file, () => budget.take('heic'));
  if (format === 'jxl') return countJxlPixels(file, () => budget.take('jxl'));
  if (format === 'webp') return toEquivalentPixels('webp', file.length);
  if (format !== 'png') return 0;
  // Counts the remaining bytes separately, because the compressed stream can contain more data than the pixels need.
  const stored = width * height * maxPngSamples * Math.ceil(bitDepth / 8) + height;
  return width * height + toEquivalentPixels('png', file.length - findPngPixels(file, budget) - stored);
}

const maxPngSamples = 4;

/** Maximum growth of data by LZW compression: codes of incompressible bytes have up to 12 bits. */
const maxLzwGrowth = 1.5;

/**
 * Returns the number of pixels in a plain TIFF that takes as long to decode as this file. Adds up the cost of all scans
 * of JPEG data, and of the bytes in strips and tiles beyond those that the pixels need. Strips and tiles may share
 * data, which is decoded for each of them. Throws AppError `image_too_complex` or `corrupt_image`.
 */
function countTiffPixels(file: Buffer, tiff: Tiff, { width, height, bitDepth }: Inspection): number {
  const of = (one: number, other: number) => {
    const tag = tiff.first.get(one) ?? tiff.first.get(other);
    if (!tag) return [];
    if (tag.count > limits.inspectionSteps.tiff) throw new AppError('corrupt_image', { limitName: 'image_structure' });
    return readNumbers(file, tag);
  };
  const offsets = of(tiffTag.tileOffsets, tiffTag.stripOffsets);
  const sizes = of(tiffTag.tileBytes, tiffTag.stripBytes);
  const samples = tiff.first.get(tiffTag.samplesPerPixel)?.value ?? 1;
  const stored = sizes.reduce((sum, bytes) => sum + Math.min(bytes, file.length), 0);
  const excess = stored - maxLzwGrowth * width * height * samples * Math.ceil(bitDepth / 8);
  const scanned = usesJpeg(tiff) ? countScans(file, offsets, sizes) : 0;
  return Math.max(scanned, excess > 0 ? width * height + toEquivalentPixels('tiff', excess) : 0);
}

function countScans(file: Buffer, offsets: readonly number[], sizes: readonly number[]): number {
  const known = new Map<string, number>();
  let [cost, read] = [0, 0];
  for (const [i, at] of offsets.entries()) {
    const range = `${at}+${sizes[i] ?? 0}`;
    let pixels = known.get(range);
    if (pixels === undefined) {
      const data = file.subarray(at, at + (sizes[i] ?? 0));
      read += data.length;
      // Real images have no partially overlapping ranges, and reading many of them would take a long time.
      if (read > 2 * file.length)
        throw new AppError('image_too_complex', { meta: { limit: file.length, value: read } });
      pixels = countJpegPixels(data);
      known.set(range, pixels);
    }
    cost += pixels;
  }
  return cost;
}

/** Counts the pixels of the tiles, layers, and transparency of a HEIC image, including parts that aren't shown. */
function countHeicPixels(file: Buffer, take: TakeStep): number {
  const { stored, alpha, layerAlphas } = describeHeif(file, take);
  const layers = stored.kind === 'layers' ? stored.layers.map((layer) => layer.stored) : [stored];
  const images = [...layers, alpha, ...layerAlphas].flatMap((image) => image?.tiles ?? []);
  const canvases = stored.kind === 'layers' ? stored.width * stored.height * (1 + layers.length) : 0;
  const bytes = images.reduce((sum, { data }) => sum + sumBytes(data), 0);
  return Math.max(
    images.reduce((sum, { hevc }) => sum + hevc.storedPixels, canvases),
    toEquivalentPixels('heic', bytes),
  );
}

/**
 * Counts the pixels that a decoder of an AVIF image produces. Counts all frames of the items that the image is derived
 * from, once for each reference, including transparency. Throws AppError `image_too_complex` or `corrupt_image`.
 */
function countAvifPixels(file: Buffer, take: TakeStep): number {
  const meta = findMeta(file, take);
  const primary = meta?.items.get(meta.primary ?? -1);
  if (!meta || !primary) return 0;
  const counted = new Map<Item, number>();
  const count = (item: Item): number => {
    const known = counted.get(item);
    if (known !== undefined) return known;
    // Prevents infinite recursion: an item that is derived from itself adds nothing.
    counted.set(item, 0);
    const sources = listParts(meta, item);
    let sum = countOwnPixels(file, item, { take, sources });
    for (const source of sources) sum = checkPixels(sum + count(source));
    counted.set(item, sum);
    return sum;
  };
  return checkPixels(count(primary));
}

function checkPixels(pixels: number): number {
  if (pixels <= limits.avifPixels) return pixels;
  throw new AppError('image_too_complex', { meta: { limit: limits.avifPixels, value: pixels } });
}

/** Returns the metadata of an AVIF file, or undefined if its boxes are damaged. The decoder reports the damage. */
function findMeta(file: Buffer, take: TakeStep): Meta | undefined {
  try {
    const box = listTopBoxes(file, take).find(({ type }) => type === 'meta');
    return box && readMeta(file, box, take);
  } catch (error) {
    if (error instanceof AppError && error.code === 'corrupt_image' && !error.limitName) return undefined;
    throw error;
  }
}

function listParts({ items, references }: Meta, { id }: Item): Item[] {
  const made = references.filter(({ type, from }) => type === 'dimg' && from === id).flatMap(({ to }) => to);
  const added = references.filter(({ type, to }) => type === 'auxl' && to.includes(id)).map(({ from }) => from);
  return [...made, ...added].flatMap((part) => items.get(part) ?? []);
}

/** Counts the pixels of a coded item. For an overlay, counts the pixels of its canvas once for each layer. */
function countOwnPixels(file: Buffer, item: Item, { take, sources }: { take: TakeStep; sources: Item[] }): number {
  if (item.type === 'av01') return countCodedPixels(file, item, take);
  if (item.type !== 'iovl') return 0;
  const { width, height } = readSize(file, item);
  return width * height * sources.length;
}

function countCodedPixels(file: Buffer, { extents }: Item, take: TakeStep): number {
  if (sumBytes(extents) > file.length) throw new AppError('corrupt_image', { limitName: 'image_structure' });
  const stream = Buffer.concat(extents.map(({ start, end }) => file.subarray(start, end)));
  return Math.max(
    countAv1Pixels(stream, () => countStep(take)),
    toEquivalentPixels('avif', stream.length),
  );
}
