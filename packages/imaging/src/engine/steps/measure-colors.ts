import { readFile, stat } from 'node:fs/promises';
import type { InputFormat } from '@uprez/contracts/policy/images/image-formats';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { makeCanvasTransparent } from '../../canvas/make-canvas-transparent.ts';
import { type Encoding, looksLikeSrgb, srgb } from '../../color/encoding.ts';
import { d50, isGamut } from '../../color/gamut.ts';
import { guardedSharp } from '../../decoders.ts';
import { findExtraChannels, hasHiddenChannels } from '../../inspect/extra-channels.ts';
import { checkProfile, readPngProfile, readTags, toCurve } from '../../inspect/icc-profile.ts';
import { labelAsStill } from '../../inspect/label-as-still.ts';
import { readSourceColor } from '../../inspect/read-source-color.ts';
import { openVipsFile } from '../rows/row-file.ts';
import type { ComparableRows } from './compare-frame.ts';
import { type ColorDifference, compareColors } from './compare-result.ts';
import { colorSpaceName } from './open-pixels.ts';
import { computeThumbnailSize } from './write-thumbnail.ts';

/** Maximum size, in bytes, of a result that is read again to find its declared encoding. */
const maxResultBytes = 64 * 1024 * 1024;

type MeasureInput = {
  pipeline: ImagePipeline;
  file: Buffer;
  /** Whether the decoded pixels have the same samples as the source. */
  keepsSamples: boolean;
  result: string;
  icc: Buffer | undefined;
  decoded: () => Promise<ComparableRows>;
  pixels: () => Promise<ComparableRows>;
  /** Where to write the source, decoded without a color conversion. */
  path: string;
};

/**
 * Measures the color difference between a source and its result, each in the encoding that its own file declares. This
 * detects errors in conversions and in written profiles. The pixels of CMYK results are their colors in sRGB. Returns
 * undefined if both are sRGB, because their samples can be compared directly.
 */
export async function measureColors(measured: MeasureInput): Promise<ColorDifference | undefined> {
  const { pipeline, file, icc, keepsSamples, decoded, pixels, path } = measured;
  const stored = (icc && readProfile(icc)) ?? srgb;
  const isPrint = pipeline.output.printProfile !== undefined;
  const found = isPrint ? srgb : ((await readResultEncoding(measured)) ?? stored);
  const described = await readEncoding(file, pipeline.source.format);
  // Compares with the decoded pixels if only the decoder can determine the colors, if the source has a high dynamic
  // range, or if libvips would interpret a mask as transparency.
  const { format } = pipeline.source;
  const isKnown =
    described !== undefined && !described.highRange && format !== 'bmp' && !hasHiddenSamples(file, format);
  const wanted = isKnown ? described : stored;
  if (!isPrint && looksLikeSrgb(wanted) && looksLikeSrgb(found)) return undefined;
  const compare = async (source: ComparableRows) =>
    compareColors({ source, pixels: await pixels(), frames: pipeline.output.frames, encodings: [wanted, found] });
  if (!isKnown || keepsSamples) return compare(await decoded());
  await openUnconverted(file, pipeline).toFile(path);
  const source = await openVipsFile(path, pipeline.output.alpha);
  return compare(source).finally(source.close);
}

const hasHiddenSamples = (file: Buffer, format: InputFormat) =>
  format === 'tiff' && hasHiddenChannels(findExtraChannels(file));

async function readResultEncoding({ pipeline, result }: MeasureInput): Promise<Encoding | undefined> {
  const { size } = await stat(result);
  return size > maxResultBytes ? undefined : readEncoding(await readFile(result), pipeline.output.format);
}

/**
 * Opens a source without a color conversion. Sources that are shrunk are opened at thumbnail size, because their
 * results are compared at that size.
 */
function openUnconverted(file: Buffer, { source, output, crop, shrinks }: ImagePipeline) {
  const input = source.format === 'avif' ? labelAsStill(file) : makeCanvasTransparent(file);
  const options = { ignoreIcc: true, limitInputPixels: false, failOn: 'none', pages: output.frames } as const;
  const image = guardedSharp(input, options).toColorspace(colorSpaceName(source.space === 'grey', output.bitDepth));
  const upright = source.frames > 1 ? image : image.autoOrient();
  const used = crop ? upright.extract(crop) : upright;
  return shrinks ? used.resize({ ...computeThumbnailSize(output), fit: 'fill' }) : used;
}

const rgbSpaces: readonly string[] = ['srgb', 'rgb', 'rgb16'];

/**
 * Reads the encoding that a file declares for its samples. Returns undefined if only a decoder can determine the
 * encoding, such as for profiles with lookup tables and for formats that libvips doesn't open.
 */
export async function readEncoding(file: Buffer, format: InputFormat): Promise<Encoding | undefined> {
  if (format === 'heic' || format === 'jxl') return undefined;
  const color = readSourceColor(file, format);
  if (color.kind === 'encoded') return color.encoding;
  if (color.kind === 'srgb') return srgb;
  if (format === 'bmp') return undefined;
  if (format === 'png') return readProfile(readPngProfile(file)?.icc);
  const { icc, space } = await guardedSharp(labelAsStill(file), { limitInputPixels: false }).metadata();
  // The decoder drops a profile that is for another color space.
  if (icc) return rgbSpaces.includes(space ?? '') ? readProfile(icc) : undefined;
  return space === 'cmyk' || space === 'lab' ? undefined : srgb;
}

/** Reads the encoding of an ICC profile with a matrix and curves. Returns undefined for other profiles. */
function readProfile(icc: Buffer | undefined): Encoding | undefined {
  if (!icc || checkProfile(icc, 'rgb') !== 'usable') return undefined;
  const tags = readTags(icc);
  if ([...tags.keys()].some((name) => name.startsWith('A2B'))) return undefined;
  const curves = ['rTRC', 'gTRC', 'bTRC'].map((name) => readTag(tags.get(name), toCurve));
  const columns = ['rXYZ', 'gXYZ', 'bXYZ'].map((name) => readTag(tags.get(name), readChromaticity));
  const gamut = [...columns, toChromaticity(d50)].flatMap((part) => part ?? [Number.NaN]);
  if (!isGamut(gamut) || curves.some((curve) => !curve)) return undefined;
  return { gamut, curves: curves as unknown as Encoding['curves'] };
}

function readTag<T>(tag: Buffer | undefined, read: (tag: Buffer) => T): T | undefined {
  try {
    return tag && read(tag);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const readChromaticity = (tag: Buffer) => toChromaticity([8, 12, 16].map((at) => tag.readInt32BE(at)));

function toChromaticity(xyz: readonly number[]): [x: number, y: number] {
  const [x = 0, y = 0, z = 0] = xyz;
  return [x / (x + y + z), y / (x + y + z)];
}
