import { AppError } from '@uprez/contracts/errors/app-error';
import { type Box, makeFieldReader } from './read-boxes.ts';
import type { Item, Property } from './read-meta.ts';
import type { Size, Transform } from './view.ts';

type ByteRange = Pick<Box, 'start' | 'end'>;
/** Coding-independent code points (ITU-T H.273). */
export type CodePoints = { primaries: number; transfer: number; matrix: number; isFullRange: boolean };
export type Colors = { icc?: ByteRange; codePoints?: CodePoints };

const knownProperties = new Set([
  ...['hvcC', 'ispe', 'pixi', 'colr', 'irot', 'imir', 'clap', 'auxC', 'pasp', 'rloc'],
  ...['clli', 'mdcv', 'amve', 'cclv', 'udes', 'altt', 'iscl'],
]);

/** Whether this reader must not show an item (ISO/IEC 23008-12, 6.5.1). Scaling isn't supported. */
export const hasUnknownProperty = ({ properties }: Item): boolean =>
  properties.some(({ type, isEssential }) => type === 'iscl' || (isEssential && !knownProperties.has(type)));

export const findProperty = ({ properties }: Item, type: string): Property | undefined =>
  properties.find((property) => property.type === type);

/** Returns the declared size of an item. Throws AppError `corrupt_image` if it has none. */
export function readSize(file: Buffer, item: Item): Size {
  const ispe = findProperty(item, 'ispe');
  if (!ispe) throw new AppError('corrupt_image');
  const fields = makeFieldReader(file, ispe);
  fields.full();
  const size = { width: fields.unsigned(4), height: fields.unsigned(4) };
  if (size.width === 0 || size.height === 0) throw new AppError('corrupt_image');
  return size;
}

/** Returns the color profile and the code points of an item. An item may have both. */
export function readColors(file: Buffer, { properties }: Item): Colors {
  const colors: Colors = {};
  for (const property of properties.filter(({ type }) => type === 'colr')) {
    const fields = makeFieldReader(file, property);
    const kind = fields.text(4);
    if (kind === 'prof' || kind === 'rICC') colors.icc ??= { start: fields.at(), end: property.end };
    if (kind !== 'nclx') continue;
    const [primaries, transfer, matrix] = [fields.unsigned(2), fields.unsigned(2), fields.unsigned(2)];
    colors.codePoints ??= { primaries, transfer, matrix, isFullRange: fields.unsigned(1) >= 128 };
  }
  return colors;
}

/** Returns the transforms of an item, in the order in which they apply. Throws AppError `corrupt_image`. */
export function readTransforms(file: Buffer, { properties }: Item): Transform[] {
  return properties.flatMap((property): Transform[] => {
    const fields = makeFieldReader(file, property);
    if (property.type === 'irot') return [{ kind: 'turn', quarters: fields.unsigned(1) & 3 }];
    if (property.type === 'imir') return [{ kind: 'mirror', isSideways: (fields.unsigned(1) & 1) === 1 }];
    if (property.type !== 'clap') return [];
    const fraction = () => fields.signed() / fields.unsigned(4);
    const [width, height, across, down] = [fraction(), fraction(), fraction(), fraction()];
    if (![width, height, across, down].every(Number.isFinite)) throw new AppError('corrupt_image');
    return [{ kind: 'crop', width, height, across, down }];
  });
}

const alphaTypes = ['urn:mpeg:hevc:2015:auxid:1', 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha'];

export const isAlpha = (file: Buffer, item: Item): boolean => alphaTypes.includes(readAuxiliaryType(file, item));

/**
 * Returns the type of an auxiliary image, such as transparency, a depth map, or a gain map. Empty for other images.
 * Throws AppError `corrupt_image`.
 */
export function readAuxiliaryType(file: Buffer, item: Item): string {
  const auxC = findProperty(item, 'auxC');
  if (!auxC) return '';
  const fields = makeFieldReader(file, auxC);
  fields.full();
  return fields.zeroEnded();
}
