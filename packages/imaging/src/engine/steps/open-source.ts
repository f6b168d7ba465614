import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePlan, Inspection } from '@uprez/contracts/schemas/image-plan';
import type { Sharp, SharpOptions } from 'sharp';
import { guardedSharp } from '../../decoders.ts';
import { countFrames } from '../../inspect/count-frames.ts';
import { decodeBmp } from './decode-bmp.ts';
import { decodeLab } from './decode-lab.ts';
import { decodeNotes, planColors } from './plan-colors.ts';

/** `animation`: delays in milliseconds and the loop count (0: infinite), which `.v` files do not store. */
export type Source = { image: Sharp; animation: { delays: number[]; loop: number } | null; notes: string[] };

const { inputPixels: limitInputPixels } = limits;

/** Open an image in the plan's colors, for sequential reading where the format allows. `failOn` is the sharp option. */
export async function openSource(
  file: Buffer,
  plan: ImagePlan,
  failOn: 'none' | 'warning' = 'warning',
): Promise<Source> {
  const { source, output } = plan;
  const raw = source.format === 'bmp' ? decodeBmp(file) : source.space === 'lab' ? await decodeLab(file) : undefined;
  if (raw) {
    const { data, ...size } = raw;
    const { apply, notes } = planColors(plan, undefined);
    return { image: apply(guardedSharp(data, { raw: size, limitInputPixels })), animation: null, notes };
  }
  const options: SharpOptions = { failOn, limitInputPixels, sequentialRead: true, pages: output.frames };
  const isAnimated = output.frames > 1;
  const header = source.hasProfile || isAnimated ? await guardedSharp(file, options).metadata() : undefined;
  const { ignoreIcc, apply, notes } = planColors(plan, header?.icc);
  return {
    image: apply(guardedSharp(file, { ...options, ignoreIcc })),
    animation: isAnimated ? { delays: header?.delay ?? [], loop: header?.loop ?? 0 } : null,
    notes: [...notes, ...describeLosses(file, source, output)],
  };
}

function describeLosses(file: Buffer, { format, frames, bitDepth }: Inspection, output: ImagePlan['output']): string[] {
  const outputBits = Math.max(8, output.bitDepth);
  const available = format === 'png' || format === 'tiff' ? countFrames(file, format) : frames;
  const bits = bitDepth > outputBits ? [decodeNotes.bitsReduced] : [];
  if (available <= output.frames) return bits;
  return [...bits, format === 'tiff' ? decodeNotes.firstPage : decodeNotes.firstFrame];
}
