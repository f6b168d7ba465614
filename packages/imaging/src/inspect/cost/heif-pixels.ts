import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { describeHeif, listTopBoxes } from '../../heif/describe-heif.ts';
import { countAv1Pixels } from '../../heif/read-av1-config.ts';
import { countStep, type TakeStep } from '../../heif/read-boxes.ts';
import { type Item, type Meta, readMeta } from '../../heif/read-meta.ts';
import { readSize } from '../../heif/read-properties.ts';
import { sumBytes } from '../../heif/read-stored-image.ts';
import { weighBytes } from './weigh-bytes.ts';

/** Pixels of the tiles, layers, and transparency of a HEIC image, whatever part of them it shows. */
export function countHeicPixels(file: Buffer, take: TakeStep): number {
  const { stored, alpha, layerAlphas } = describeHeif(file, take);
  const layers = stored.kind === 'layers' ? stored.layers.map((layer) => layer.stored) : [stored];
  const images = [...layers, alpha, ...layerAlphas].flatMap((image) => image?.tiles ?? []);
  const canvases = stored.kind === 'layers' ? stored.width * stored.height * (1 + layers.length) : 0;
  const bytes = images.reduce((sum, { data }) => sum + sumBytes(data), 0);
  return Math.max(
    images.reduce((sum, { hevc }) => sum + hevc.storedPixels, canvases),
    weighBytes('heic', bytes),
  );
}

/**
 * Pixels that a decoder of an AVIF image makes: of all frames of the items that it is made of, each time that it names them, and
 * of those with its transparency. Throws AppError `image_too_complex`, or `corrupt_image`.
 */
export function countAvifPixels(file: Buffer, take: TakeStep): number {
  const meta = findMeta(file, take);
  const primary = meta?.items.get(meta.primary ?? -1);
  if (!meta || !primary) return 0;
  const counted = new Map<Item, number>();
  const count = (item: Item): number => {
    const known = counted.get(item);
    if (known !== undefined) return known;
    // An item that is made of itself adds nothing.
    counted.set(item, 0);
    const sources = listParts(meta, item);
    let sum = countOwn(file, item, { take, sources });
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

/** Undefined if its boxes are damaged, which the decoder reports. */
function findMeta(file: Buffer, take: TakeStep): Meta | undefined {
  try {
    const box = listTopBoxes(file, take).find(({ type }) => type === 'meta');
    return box && readMeta(file, box, take);
  } catch (error) {
    if (error instanceof AppError && error.code === 'corrupt_image' && !error.limitName) return undefined;
    throw error;
  }
}

/** The items that an item is made of, and those with its transparency or depth. */
function listParts({ items, references }: Meta, { id }: Item): Item[] {
  const made = references.filter(({ type, from }) => type === 'dimg' && from === id).flatMap(({ to }) => to);
  const added = references.filter(({ type, to }) => type === 'auxl' && to.includes(id)).map(({ from }) => from);
  return [...made, ...added].flatMap((part) => items.get(part) ?? []);
}

/** The pixels of a stream, or of the canvas of layers, which each layer is put on. */
function countOwn(file: Buffer, item: Item, { take, sources }: { take: TakeStep; sources: Item[] }): number {
  if (item.type === 'av01') return countCoded(file, item, take);
  if (item.type !== 'iovl') return 0;
  const { width, height } = readSize(file, item);
  return width * height * sources.length;
}

function countCoded(file: Buffer, { extents }: Item, take: TakeStep): number {
  if (sumBytes(extents) > file.length) throw new AppError('corrupt_image', { limitName: 'image_structure' });
  const stream = Buffer.concat(extents.map(({ start, end }) => file.subarray(start, end)));
  return Math.max(
    countAv1Pixels(stream, () => countStep(take)),
    weighBytes('avif', stream.length),
  );
}
