import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { type Box, countStep, readBox, type TakeStep } from './read-boxes.ts';
import { type Item, type Meta, readMeta } from './read-meta.ts';
import { type Colors, isAlpha, readColors, readTransforms } from './read-properties.ts';
import {
  type CodedImage,
  makeUnsupportedHeifError,
  readStoredImage,
  readTiledImage,
  type StoredImage,
  sumBytes,
  type TiledImage,
} from './read-stored-image.ts';
import { combineTransforms, type View } from './view.ts';

/** `isPremultiplied`: whether the image's colors are multiplied by alpha (ISO/IEC 23008-12, 6.10.1.2). */
export type AlphaImage = TiledImage & { isPremultiplied: boolean };
/**
 * The primary image of a HEIF file. `alpha`: the image's transparency. `layerAlphas`: the transparency of each layer.
 */
export type HeifImage = {
  stored: StoredImage;
  alpha: AlphaImage | undefined;
  layerAlphas: (AlphaImage | undefined)[];
  view: View;
  colors: Colors;
  bitDepth: number;
  isGray: boolean;
};

/** Lists the complete boxes of a file, up to the first damaged one. */
export function listTopBoxes(file: Buffer, take: TakeStep): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; ; ) {
    countStep(take);
    const box = findBox(file, at);
    if (!box) return boxes;
    boxes.push(box);
    at = box.end;
  }
}

/** Returns the box at a byte offset of the file, or undefined if the box is damaged or cut off. */
export function findBox(file: Buffer, at: number): Box | undefined {
  try {
    return readBox(file, at, file.length);
  } catch {
    return undefined;
  }
}

/**
 * Reads the properties of the primary image from the header of a HEIF file (ISO/IEC 23008-12), without decoding. Throws
 * AppError `corrupt_image`, or `unsupported_format` for images that aren't HEVC and for animations without a still
 * image.
 */
export function describeHeif(file: Buffer, take: TakeStep): HeifImage {
  const boxes = listTopBoxes(file, take);
  const box = boxes.find(({ type }) => type === 'meta');
  if (!box)
    throw boxes.some(({ type }) => type === 'moov') ? makeUnsupportedHeifError('HEIC animation') : makeCorruptError();
  const meta = readMeta(file, box, take);
  const primary = meta.items.get(meta.primary ?? -1);
  if (!primary) throw makeCorruptError();
  return describeItem(file, meta, primary);
}

const makeCorruptError = () => new AppError('corrupt_image');

function describeItem(file: Buffer, meta: Meta, primary: Item): HeifImage {
  const source = resolveIdentity(meta, primary);
  const stored = readStoredImage(file, meta, source);
  const own = source === primary ? [] : readTransforms(file, source);
  const view = combineTransforms(stored, [...own, ...readTransforms(file, primary)]);
  if (!view) throw makeCorruptError();
  const layers = stored.kind === 'layers' ? stored.layers : [];
  const alpha = findAlpha(file, meta, { item: source, stored });
  const layerAlphas = layers.map((layer) => findAlpha(file, meta, layer));
  const coded = listCodedImages(stored);
  checkCodedImages([...coded, ...[alpha, ...layerAlphas].flatMap((image) => image?.tiles ?? [])]);
  return {
    ...{ stored, alpha, layerAlphas, view },
    colors: { ...coded[0]?.colors, ...readColors(file, source), ...readColors(file, primary) },
    bitDepth: Math.max(8, ...coded.map(({ hevc }) => hevc.bitDepth)),
    isGray: coded.length > 0 && layers.length === 0 && coded.every(({ hevc }) => hevc.isGray),
  };
}

function resolveIdentity({ items, references }: Meta, item: Item): Item {
  if (item.type !== 'iden') return item;
  const [id = -1] = references.find(({ type, from }) => type === 'dimg' && from === item.id)?.to ?? [];
  const source = items.get(id);
  if (!source) throw makeCorruptError();
  if (source.type === 'iden') throw makeUnsupportedHeifError('HEIF');
  return source;
}

/** Returns undefined if the image has none, or if the two sizes differ. */
function findAlpha(
  file: Buffer,
  meta: Meta,
  { item, stored }: { item: Item; stored: StoredImage },
): AlphaImage | undefined {
  const ids = meta.references.filter(({ type, to }) => type === 'auxl' && to.includes(item.id)).map(({ from }) => from);
  const found = [...new Set(ids)].map((from) => meta.items.get(from)).find((other) => other && isAlpha(file, other));
  const alpha = found && readTiledImage(file, meta, found);
  if (alpha?.width !== stored.width || alpha.height !== stored.height) return undefined;
  const isPremultiplied = meta.references.some(
    ({ type, from, to }) => type === 'prem' && from === item.id && to.includes(found?.id ?? -1),
  );
  return { ...alpha, isPremultiplied };
}

const listCodedImages = (stored: StoredImage): CodedImage[] =>
  stored.kind === 'tiles' ? stored.tiles : stored.layers.flatMap((layer) => layer.stored.tiles);

/** Twice the limit for input pixels, because tiles may extend beyond the image, and layers may overlap. */
const maxStoredPixels = 2 * limits.inputPixels;

/**
 * Limits the number of pixels that decoders allocate and the number of bytes that they read, which can exceed the file
 * size because tiles may share their data. Throws AppError `too_many_pixels` or `corrupt_image`.
 */
function checkCodedImages(images: readonly CodedImage[]): void {
  const stored = images.reduce((sum, { hevc }) => sum + hevc.storedPixels, 0);
  if (stored > maxStoredPixels)
    throw new AppError('too_many_pixels', { meta: { limit: limits.inputPixels, value: stored } });
  const bytes = images.reduce((sum, { data }) => sum + sumBytes(data), 0);
  if (bytes > limits.uploadBytes) throw new AppError('corrupt_image', { limitName: 'image_structure' });
}
