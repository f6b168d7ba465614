import { photometric, readShorts, readTiff, type Tiff, tiffTag } from './read-tiff.ts';

/**
 * Channels after the colors. `alphaAt`: position of transparency among them; undefined without one. `isDeclared`: whether the
 * file says what each of them is.
 */
export type ExtraChannels = { count: number; alphaAt: number | undefined; isDeclared: boolean };

/** ExtraSamples (TIFF 6.0, section 18): alpha that colors are multiplied by, and alpha on its own. Others are 0. */
const alphaKinds = [1, 2];
const colorsOf: Readonly<Record<number, number>> = {
  [photometric.rgb]: 3,
  [photometric.ycbcr]: 3,
  [photometric.lab]: 3,
  [photometric.separated]: 4,
};

/** Find the extra channels of a TIFF. Those that aren't declared as alpha, such as masks and spot colors, aren't. */
export function findExtraChannels(file: Buffer, { first }: Pick<Tiff, 'first'> = readTiff(file)): ExtraChannels {
  const value = (tag: number, otherwise: number) => first.get(tag)?.value ?? otherwise;
  const colors = colorsOf[value(tiffTag.photometric, photometric.blackIsZero)] ?? 1;
  const count = Math.max(0, value(tiffTag.samplesPerPixel, 1) - colors);
  const declared = first.get(tiffTag.extraSamples);
  const kinds = declared ? readShorts(file, declared).slice(0, count) : [];
  const at = kinds.findIndex((kind) => alphaKinds.includes(kind));
  return { count, alphaAt: at < 0 ? undefined : at, isDeclared: kinds.length === count };
}

/** Whether a TIFF has channels that decoders must not take as transparency. */
export const hasHiddenChannels = ({ count, alphaAt }: Omit<ExtraChannels, 'isDeclared'>): boolean =>
  count > 1 || (count === 1 && alphaAt === undefined);
