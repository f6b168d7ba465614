import { photometric, readShorts, readTiff, type Tiff, tiffTag } from './read-tiff.ts';

/**
 * Channels after the color channels. `alphaAt`: index of alpha among them, or undefined if none is alpha. `isDeclared`:
 * whether the file declares the kind of each of them.
 */
export type ExtraChannels = { count: number; alphaAt: number | undefined; isDeclared: boolean };

/**
 * ExtraSamples values (TIFF 6.0, section 18) for premultiplied alpha and for separate alpha. Other channels have the
 * value 0.
 */
const alphaKinds = [1, 2];
const colorCountByPhotometric: Readonly<Record<number, number>> = {
  [photometric.rgb]: 3,
  [photometric.ycbcr]: 3,
  [photometric.lab]: 3,
  [photometric.separated]: 4,
};

/** Channels that aren't declared as alpha, such as masks and spot colors, don't count as alpha. */
export function findExtraChannels(file: Buffer, { first }: Pick<Tiff, 'first'> = readTiff(file)): ExtraChannels {
  const value = (tag: number, otherwise: number) => first.get(tag)?.value ?? otherwise;
  const colors = colorCountByPhotometric[value(tiffTag.photometric, photometric.blackIsZero)] ?? 1;
  const count = Math.max(0, value(tiffTag.samplesPerPixel, 1) - colors);
  const declared = first.get(tiffTag.extraSamples);
  const kinds = declared ? readShorts(file, declared).slice(0, count) : [];
  const at = kinds.findIndex((kind) => alphaKinds.includes(kind));
  return { count, alphaAt: at < 0 ? undefined : at, isDeclared: kinds.length === count };
}

/** Whether a TIFF has channels that decoders must not treat as alpha. */
export const hasHiddenChannels = ({ count, alphaAt }: Omit<ExtraChannels, 'isDeclared'>): boolean =>
  count > 1 || (count === 1 && alphaAt === undefined);
