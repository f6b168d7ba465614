import { limits } from '@uprez/contracts/policy/limits';
import { guardedSharp } from '../../decoders.ts';
import { labelLabAsRgb } from '../../inspect/inspect-tiff.ts';
import type { RawImage } from './decode-bmp.ts';

/** Below this, CIE 15 replaces the cube root by a linear function. */
const delta = 6 / 29;
/** From XYZ relative to D50 (ICC.1) to linear sRGB: Bradford adaptation to D65, then IEC 61966-2-1 (Bruce Lindbloom). */
const toLinear = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const;
const white = [0.96422, 1, 0.82521] as const;
const curveSteps = 65_535 * 4;

/** Decode a Lab TIFF (TIFF 6.0, section 23; white point D50) of 8 or 16 bits to sRGB samples, upright. Throws sharp's errors. */
export async function decodeLab(file: Buffer): Promise<RawImage> {
  const options = { failOn: 'warning', limitInputPixels: limits.inputPixels, ignoreIcc: true } as const;
  const image = guardedSharp(labelLabAsRgb(file), options).autoOrient();
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
 * Make a function that converts one pixel in place, from Lab as in TIFF 6.0, section 23 (L* as 0..2^bits - 1 for 0..100, a*
 * and b* signed, in units of 1 for 8 bits and 1/256 for 16 bits) to sRGB samples of the same depth. Colors outside sRGB
 * are clipped.
 */
function makeLabConverter(bits: 8 | 16): (samples: Uint8Array | Uint16Array, at: number) => void {
  const most = 2 ** bits - 1;
  const half = 2 ** (bits - 1);
  const unit = bits === 8 ? 1 : 256;
  const curve = Float64Array.from({ length: curveSteps + 1 }, (_, i) => most * encodeSrgb(i / curveSteps));
  const signed = (value: number) => (value < half ? value : value - 2 * half) / unit;
  const linear = [0, 0, 0];
  return (samples, at) => {
    const fy = (((samples[at] as number) / most) * 100 + 16) / 116;
    const fx = fy + signed(samples[at + 1] as number) / 500;
    const fz = fy - signed(samples[at + 2] as number) / 200;
    const [x, y, z] = [cube(fx) * white[0], cube(fy) * white[1], cube(fz) * white[2]];
    for (let c = 0; c < 3; c++) {
      const [kx, ky, kz] = toLinear[c] as (typeof toLinear)[0];
      linear[c] = Math.max(0, Math.min(1, kx * x + ky * y + kz * z));
    }
    for (let c = 0; c < 3; c++)
      samples[at + c] = Math.round(curve[Math.round((linear[c] as number) * curveSteps)] as number);
  };
}

const cube = (f: number) => (f > delta ? f ** 3 : 3 * delta ** 2 * (f - 4 / 29));
/** The sRGB transfer curve, IEC 61966-2-1. */
const encodeSrgb = (v: number) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);
