import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePipeline, Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { Sharp, SharpOptions } from 'sharp';
import { fromLinear } from '../../color/encoding.ts';
import { guardedSharp } from '../../decoders.ts';
import { findExtraChannels, hasHiddenChannels } from '../../inspect/extra-channels.ts';
import { checkProfile } from '../../inspect/icc-profile.ts';
import { labelLabAsRgb } from '../../inspect/inspect-tiff.ts';
import { hasUnusableProfile } from '../../inspect/read-source-color.ts';
import { decodeBmp, type RawImage } from './decode-bmp.ts';
import { decodeNotes, describeFrames } from './decode-notes.ts';
import { colorSpaceName } from './open-pixels.ts';
import type { SourceFile } from './unpack-source.ts';

/** `animation`: frame delays in milliseconds, and the loop count (0 means infinite). `.v` files don't store either. */
export type Source = { image: Sharp; animation: { delays: number[]; loop: number } | null; notes: string[] };

const { inputPixels: limitInputPixels } = limits;

/**
 * Opens an image in the pipeline's colors, for sequential reading if the format allows it. `failOn`: the sharp option.
 */
export async function openSource(
  file: SourceFile,
  pipeline: ImagePipeline,
  failOn: 'none' | 'warning' = 'warning',
): Promise<Source> {
  const { source, output } = pipeline;
  const raw = Buffer.isBuffer(file) ? await decodeRaw(file, source) : undefined;
  if (raw) {
    const { data, ...size } = raw;
    const { apply, notes } = chooseColors(pipeline, undefined);
    const image = apply(guardedSharp(data, { raw: size, limitInputPixels }));
    return { image, animation: null, notes: [...notes, ...describeChannels(file as Buffer, source)] };
  }
  const options: SharpOptions = { failOn, limitInputPixels, sequentialRead: true, pages: output.frames };
  const isAnimated = output.frames > 1;
  const input = Buffer.isBuffer(file) ? file : file.path;
  const mayHaveProfile = source.hasProfile || !Buffer.isBuffer(file);
  const header = mayHaveProfile || isAnimated ? await guardedSharp(input, options).metadata() : undefined;
  const { ignoreIcc, apply, notes } = chooseColors(pipeline, header?.icc);
  return {
    image: apply(guardedSharp(input, { ...options, ignoreIcc })),
    animation: isAnimated ? { delays: header?.delay ?? [], loop: header?.loop ?? 0 } : null,
    // Removes duplicates, because both lists may contain the note about an unusable profile.
    notes: [...new Set([...notes, ...describeLosses(file, source, output)])],
  };
}

const describeChannels = (file: Buffer, { space }: Inspection): string[] =>
  space === 'lab' && hasHiddenChannels(findExtraChannels(file)) ? [decodeNotes.extraChannels] : [];

async function decodeRaw(file: Buffer, { format, space }: Inspection): Promise<RawImage | undefined> {
  if (format === 'bmp') return decodeBmp(file);
  return space === 'lab' ? decodeLab(file) : undefined;
}

function describeLosses(file: SourceFile, source: Inspection, output: ImagePipeline['output']): string[] {
  const bits = source.bitDepth > Math.max(8, output.bitDepth) ? [decodeNotes.bitsReduced] : [];
  if (!Buffer.isBuffer(file)) return [...bits, ...file.notes];
  const profile = hasUnusableProfile(file, source.format) ? [decodeNotes.profileUnusable] : [];
  return [...profile, ...bits, ...describeFrames(file, source, output)];
}

/** How a decoder handles colors. `ignoreIcc`: the sharp option. */
type ColorHandling = { ignoreIcc: boolean; notes: string[]; apply: (image: Sharp) => Sharp };

const keptColors: ColorHandling = { ignoreIcc: true, notes: [], apply: (image) => image.keepMetadata() };
/**
 * Converts from the embedded profile and removes it. If no profile is embedded, converts from the default profile of
 * the color space.
 */
const makeSrgbConversion = (note: string): ColorHandling => ({
  ignoreIcc: false,
  notes: [note],
  apply: (image) => image.keepMetadata().withIccProfile('srgb', { attach: false }),
});
const droppedProfile: ColorHandling = {
  ignoreIcc: true,
  notes: [decodeNotes.profileUnusable],
  apply: (image) => image.keepExif().keepXmp(),
};

function chooseColors({ source, output }: ImagePipeline, icc: Buffer | undefined): ColorHandling {
  const space = colorSpaceName(source.space === 'grey', output.bitDepth);
  const colors = chooseProfileHandling(source.space, output.format, icc);
  return { ...colors, apply: (image) => colors.apply(image).toColorspace(space) };
}

function chooseProfileHandling(
  space: ImagePipeline['source']['space'],
  format: string,
  icc: Buffer | undefined,
): ColorHandling {
  if (space === 'cmyk') return makeSrgbConversion(decodeNotes.cmyk);
  if (space === 'lab') return { ...keptColors, notes: [decodeNotes.lab] };
  if (icc && checkProfile(icc, space) !== 'usable') return droppedProfile;
  return icc && format === 'gif' ? makeSrgbConversion(decodeNotes.profileConverted) : keptColors;
}

/** Threshold below which CIE 15 replaces the cube root with a linear function. */
const delta = 6 / 29;
/** XYZ relative to D50 (ICC.1) to linear sRGB: Bradford adaptation to D65, then IEC 61966-2-1 (Bruce Lindbloom). */
const xyzToLinearMatrix = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const;
const d50WhitePoint = [0.96422, 1, 0.82521] as const;
const curveSteps = 65_535 * 4;

/**
 * Decodes an 8-bit or 16-bit Lab TIFF (TIFF 6.0, section 23, white point D50) to sRGB samples, and applies its
 * orientation. Throws sharp's errors.
 */
async function decodeLab(file: Buffer): Promise<RawImage> {
  const options = { failOn: 'warning', limitInputPixels: limits.inputPixels, ignoreIcc: true } as const;
  const upright = guardedSharp(labelLabAsRgb(file), options).autoOrient();
  const image = hasHiddenChannels(findExtraChannels(file)) ? upright.removeAlpha() : upright;
  const { depth } = await image.metadata();
  const isDeep = depth === 'ushort';
  const { data, info } = await image
    .toColorspace(isDeep ? 'rgb16' : 'srgb')
    .raw({ depth: isDeep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const samples = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  const convert = makeLabConverter(isDeep ? 16 : 8);
  for (let i = 0; i < samples.length; i += info.channels) convert(samples, i);
  const { width, height, channels } = info;
  return { data: samples, width, height, channels: channels as 3 | 4 };
}

/**
 * Creates a function that converts one pixel in place from Lab to sRGB samples of the same depth. Lab samples are
 * encoded as in TIFF 6.0, section 23: L* from 0 to 100 is stored as 0 to 2^bits - 1, and a* and b* are signed, in units
 * of 1 for 8 bits and 1/256 for 16 bits. Colors outside sRGB are clipped.
 */
function makeLabConverter(bits: 8 | 16): (samples: Uint8Array | Uint16Array, at: number) => void {
  const most = 2 ** bits - 1;
  const half = 2 ** (bits - 1);
  const unit = bits === 8 ? 1 : 256;
  const curve = Float64Array.from({ length: curveSteps + 1 }, (_, i) => most * fromLinear(i / curveSteps));
  const signed = (value: number) => (value < half ? value : value - 2 * half) / unit;
  const linear = [0, 0, 0];
  return (samples, at) => {
    const fy = (((samples[at] as number) / most) * 100 + 16) / 116;
    const fx = fy + signed(samples[at + 1] as number) / 500;
    const fz = fy - signed(samples[at + 2] as number) / 200;
    const [x, y, z] = [
      invertLabCurve(fx) * d50WhitePoint[0],
      invertLabCurve(fy) * d50WhitePoint[1],
      invertLabCurve(fz) * d50WhitePoint[2],
    ];
    for (let c = 0; c < 3; c++) {
      const [kx, ky, kz] = xyzToLinearMatrix[c] as (typeof xyzToLinearMatrix)[0];
      linear[c] = Math.max(0, Math.min(1, kx * x + ky * y + kz * z));
    }
    for (let c = 0; c < 3; c++)
      samples[at + c] = Math.round(curve[Math.round((linear[c] as number) * curveSteps)] as number);
  };
}

const invertLabCurve = (f: number) => (f > delta ? f ** 3 : 3 * delta ** 2 * (f - 4 / 29));
