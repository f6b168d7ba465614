import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePlan, Inspection } from '@uprez/contracts/schemas/image-plan';
import type { Sharp, SharpOptions } from 'sharp';
import { guardedSharp } from '../../decoders.ts';
import { countFrames } from '../../inspect/count-frames.ts';
import { decodeBmp } from './decode-bmp.ts';
import { decodeLab } from './decode-lab.ts';
import { decodeNotes } from './decode-notes.ts';
import { planColours } from './plan-colours.ts';

/**
 * An image ready to be decoded. `animation`: of several frames, milliseconds of each, and how often they run (0: for
 * ever); libvips' own format does not hold them. `notes`: what the person who sent the image should know.
 */
export type Source = { image: Sharp; animation: { delays: number[]; loop: number } | null; notes: string[] };

const { inputPixels: limitInputPixels } = limits;

/** Open an image, row by row where its format allows, in the plan's colours. The header is read again only where it is needed. `failOn`: sharp's option of that name. */
export async function openSource(
  file: Buffer,
  plan: ImagePlan,
  failOn: 'none' | 'warning' = 'warning',
): Promise<Source> {
  const { source, output } = plan;
  const raw = source.format === 'bmp' ? decodeBmp(file) : source.space === 'lab' ? await decodeLab(file) : undefined;
  if (raw) {
    const { data, ...size } = raw;
    const { apply, notes } = planColours(plan, undefined);
    return { image: apply(guardedSharp(data, { raw: size, limitInputPixels })), animation: null, notes };
  }
  const options: SharpOptions = { failOn, limitInputPixels, sequentialRead: true, pages: output.frames };
  const isAnimated = output.frames > 1;
  const header = source.hasProfile || isAnimated ? await guardedSharp(file, options).metadata() : undefined;
  const { ignoreIcc, apply, notes } = planColours(plan, header?.icc);
  return {
    image: apply(guardedSharp(file, { ...options, ignoreIcc })),
    animation: isAnimated ? { delays: header?.delay ?? [], loop: header?.loop ?? 0 } : null,
    notes: [...notes, ...describeRest(file, source, output)],
  };
}

/** What is left out: bits, and images of a file with several. */
function describeRest(file: Buffer, { format, frames, bitDepth }: Inspection, output: ImagePlan['output']): string[] {
  const outputBits = Math.max(8, output.bitDepth);
  const held = format === 'png' || format === 'tiff' ? countFrames(file, format) : frames;
  const bits = bitDepth > outputBits ? [decodeNotes.bitsReduced] : [];
  if (held <= output.frames) return bits;
  return [...bits, format === 'tiff' ? decodeNotes.firstPage : decodeNotes.firstFrame];
}
