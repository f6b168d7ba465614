import { readFile, stat } from 'node:fs/promises';
import type { InputFormat } from '@uprez/contracts/policy/images/image-formats';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { showCanvas } from '../../canvas/show-canvas.ts';
import { type Encoding, looksLikeSrgb, srgb } from '../../color/encoding.ts';
import { d50, isGamut } from '../../color/gamut.ts';
import { guardedSharp } from '../../decoders.ts';
import { findExtraChannels, hasHiddenChannels } from '../../inspect/extra-channels.ts';
import { checkProfile, readPngProfile, readTags, toCurve } from '../../inspect/icc-profile.ts';
import { labelAsStill } from '../../inspect/label-as-still.ts';
import { readSourceColor } from '../../inspect/read-source-color.ts';
import { openVipsFile } from '../rows/row-file.ts';
import type { Rows } from './compare-frame.ts';
import { type ColorDifference, compareColors } from './compare-result.ts';
import { colorSpace } from './open-pixels.ts';
import { thumbnailSize } from './write-thumbnail.ts';

/** Larger results aren't read again. */
const maxResultBytes = 64 * 1024 * 1024;

type Measuring = {
  pipeline: ImagePipeline;
  /** The source, as it was uploaded. */
  file: Buffer;
  /** Whether the decoded pixels have the samples of the source. */
  keepsSamples: boolean;
  /** Path of the result. */
  result: string;
  /** Profile of the pixels. */
  icc: Buffer | undefined;
  decoded: () => Promise<Rows>;
  pixels: () => Promise<Rows>;
  /** Where the source can be decoded without a conversion. */
  path: string;
};

/**
 * Measure the color difference between a source and its result by what each file says about its own samples, to find errors of
 * conversions and of written profiles. Undefined if both are sRGB, for which samples can be compared.
 */
export async function measureColors(measured: Measuring): Promise<ColorDifference | undefined> {
  const { pipeline, file, icc, keepsSamples, decoded, pixels, path } = measured;
  const stored = (icc && readProfile(icc)) ?? srgb;
  const found = (await describeResult(measured)) ?? stored;
  const described = await readEncoding(file, pipeline.source.format);
  // Where only the decoder knows the colors, for a high dynamic range, and where libvips would take a mask as transparency, the
  // decoded pixels are the reference.
  const { format } = pipeline.source;
  const isKnown = described !== undefined && !described.highRange && format !== 'bmp' && !hasHidden(file, format);
  const wanted = isKnown ? described : stored;
  if (looksLikeSrgb(wanted) && looksLikeSrgb(found)) return undefined;
  const compare = async (source: Rows) =>
    compareColors({ source, pixels: await pixels(), frames: pipeline.output.frames, encodings: [wanted, found] });
  if (!isKnown || keepsSamples) return compare(await decoded());
  await openPlain(file, pipeline).toFile(path);
  const source = await openVipsFile(path);
  return compare(source).finally(source.close);
}

const hasHidden = (file: Buffer, format: InputFormat) =>
  format === 'tiff' && hasHiddenChannels(findExtraChannels(file));

async function describeResult({ pipeline, result }: Measuring): Promise<Encoding | undefined> {
  const { size } = await stat(result);
  return size > maxResultBytes ? undefined : readEncoding(await readFile(result), pipeline.output.format);
}

/** Open a source without a conversion of its colors: in the size of the thumbnail if it shrinks, as results are compared. */
function openPlain(file: Buffer, { source, output, crop, shrinks }: ImagePipeline) {
  const input = source.format === 'avif' ? labelAsStill(file) : showCanvas(file);
  const options = { ignoreIcc: true, limitInputPixels: false, failOn: 'none', pages: output.frames } as const;
  const image = guardedSharp(input, options).toColorspace(colorSpace(source.space === 'grey', output.bitDepth));
  const upright = source.frames > 1 ? image : image.autoOrient();
  const used = crop ? upright.extract(crop) : upright;
  return shrinks ? used.resize({ ...thumbnailSize(output), fit: 'fill' }) : used;
}

/** libvips' names of RGB. */
const rgbSpaces: readonly string[] = ['srgb', 'rgb', 'rgb16'];

/**
 * What the samples of a file mean, by its own description. Undefined if only its decoder can tell: profiles with tables, and
 * formats that libvips doesn't open.
 */
export async function readEncoding(file: Buffer, format: InputFormat): Promise<Encoding | undefined> {
  if (format === 'heic' || format === 'jxl') return undefined;
  const color = readSourceColor(file, format);
  if (color.kind === 'encoded') return color.encoding;
  if (color.kind === 'srgb') return srgb;
  if (format === 'bmp') return undefined;
  if (format === 'png') return readProfile(readPngProfile(file)?.icc);
  const { icc, space } = await guardedSharp(labelAsStill(file), { limitInputPixels: false }).metadata();
  // The decoder drops a profile of another color space.
  if (icc) return rgbSpaces.includes(space ?? '') ? readProfile(icc) : undefined;
  return space === 'cmyk' || space === 'lab' ? undefined : srgb;
}

/** The encoding of an ICC profile with a matrix and curves. Undefined for others. */
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

/** Undefined for a tag that is missing or cut off. */
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
