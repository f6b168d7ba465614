import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import { genericProfile } from '@uprez/contracts/policy/images/print-profiles';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { jobFiles } from '@uprez/contracts/schemas/jobs/child-messages';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { guardedSharp } from '../../decoders.ts';
import { readPrintProfile } from '../../inspect/print-profile.ts';
import { loadGenericProfile } from '../color/generic-profile.ts';
import { type RowFile, readChunks } from '../rows/row-file.ts';
import { convertToTiff, openTiffRows } from '../rows/write-tiff.ts';
import { throwIfCancelled } from '../stages.ts';
import { openForPrint, type Pixels } from './open-pixels.ts';
import { computeThumbnailSize } from './write-thumbnail.ts';

/** Intermediate files. `proof`: the colors of the print in sRGB, at thumbnail size. */
export const printFiles = { generic: 'generic.icc', pixels: 'print.v', proof: 'proof.v' };

type PrintInput = { pipeline: ImagePipeline; pixels: Pixels; dir: string; signal: AbortSignal };
type PrintFacts = NonNullable<Receipt['print']>;
/** `close`: closes the pixels. */
export type Print = { pixels: Pixels; facts: PrintFacts; close: () => Promise<void> };

const inks = 4;

/**
 * Converts finished pixels to the CMYK profile of the pipeline, measures their total ink, and writes their colors to
 * the file `proof`. Fills transparent areas with the background color first. Returns undefined for RGB results. Memory
 * use doesn't depend on the size of the image. Throws AppError `invalid_parameter` if the profile can't be used.
 */
export async function convertToPrint({ pipeline, pixels, dir, signal }: PrintInput): Promise<Print | undefined> {
  const { printProfile: name, width, height, background } = pipeline.output;
  if (name === undefined) return undefined;
  const path = join(dir, printFiles.pixels);
  const profile = await openProfile(dir, name);
  const image = openForPrint(pixels, profile.path);
  const opaque = pixels.rows.channels % 2 === 0 ? image.flatten({ background }) : image;
  await runUntilCancelled(pixels, signal, async () => {
    const { channels } = await opaque.toFile(path);
    // sharp ignores profiles that can't be used.
    if (channels !== inks) throw makeDamageError(name);
  });
  const size = { width, height, channels: inks, depth: 8 } as const;
  await convertToTiff(path, { ...size, icc: profile.icc, isCmyk: true });
  const proof = { ...computeThumbnailSize(pipeline.output), fit: 'fill' } as const;
  await guardedSharp(path, { limitInputPixels: false, sequentialRead: true })
    .resize(proof)
    .toColorspace('srgb')
    .toFile(join(dir, printFiles.proof));
  const rows = await openTiffRows(path, size);
  return {
    pixels: { path, rows, icc: profile.icc, isCmyk: true },
    facts: { profile: name, description: profile.description, ...(await measureInk(rows, signal)) },
    close: rows.close,
  };
}

const makeDamageError = (name: string) =>
  new AppError('invalid_parameter', {
    detail: `"${name}" can't be used for print, because the profile is damaged. Use another profile.`,
    param: 'printProfile',
  });

async function openProfile(dir: string, name: string) {
  const isGeneric = name === genericProfile;
  const path = join(dir, isGeneric ? printFiles.generic : jobFiles.printProfile);
  const icc = isGeneric ? await loadGenericProfile() : await readFile(path);
  if (isGeneric) await writeFile(path, icc);
  return { path, icc, ...readPrintProfile(icc, name) };
}

/** Truncates the pixels if the run is canceled, which makes the next read fail. */
async function runUntilCancelled({ path }: Pixels, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const stop = () => void truncate(path, 0).catch(() => undefined);
  throwIfCancelled(signal);
  signal.addEventListener('abort', stop);
  try {
    await work();
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const maxSample = 255;
/** Share of the pixels that may have more ink than `highInk`. */
const highShare = 0.01;

/** Measures the total ink of pixels: the sum of their inks, in percent. */
async function measureInk(rows: RowFile, signal: AbortSignal): Promise<Pick<PrintFacts, 'maxInk' | 'highInk'>> {
  const counts = new Float64Array(inks * maxSample + 1);
  for await (const samples of readChunks(rows)) {
    throwIfCancelled(signal);
    for (let i = 0; i < samples.length; i += inks) {
      const [cyan = 0, magenta = 0, yellow = 0, black = 0] = [
        samples[i],
        samples[i + 1],
        samples[i + 2],
        samples[i + 3],
      ];
      counts[cyan + magenta + yellow + black] = (counts[cyan + magenta + yellow + black] ?? 0) + 1;
    }
  }
  const toPercent = (sum: number) => Math.round((1_000 * sum) / maxSample) / 10;
  const mayExceed = highShare * rows.width * rows.height;
  let sum = counts.length - 1;
  while (counts[sum] === 0) sum -= 1;
  const maxInk = toPercent(sum);
  for (let above = counts[sum] ?? 0; above <= mayExceed && sum > 0; above += counts[sum] ?? 0) sum -= 1;
  return { maxInk, highInk: toPercent(sum) };
}
