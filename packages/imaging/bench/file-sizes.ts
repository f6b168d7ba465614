import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatNames, type OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import { type Figures, percentile } from '@uprez/testing/bench-report';
import { guardedSharp } from '../src/decoders.ts';
import { pipelineFor, runJob } from '../test/support/run-job.ts';

const outputs = ['png', 'tiff', 'jpeg', 'webp', 'avif', 'jxl'] as const satisfies readonly OutputFormat[];

/** Each photo in the forms that users send. */
const variants: ((photo: Buffer) => Promise<Buffer>)[] = [
  async (photo) => photo,
  (photo) => guardedSharp(photo).jpeg({ quality: 92 }).toBuffer(),
  (photo) => guardedSharp(photo).jpeg({ quality: 75 }).toBuffer(),
  (photo) => guardedSharp(photo).webp({ quality: 80 }).toBuffer(),
];

/** Compares the estimated file sizes of results at 2x with the real ones, for all photos of a folder in four forms. */
export async function fileSizes(folder: string): Promise<Figures> {
  const errors = new Map<OutputFormat, number[]>(outputs.map((format) => [format, []]));
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.png'));
  if (names.length === 0) return {};
  for (const name of names) {
    const photo = await readFile(join(folder, name));
    for (const make of variants) {
      const file = await make(photo);
      for (const format of outputs) {
        const pipeline = await pipelineFor(file, { engine: 'standard', scaleFactor: 2, format });
        const { result } = await runJob(file, pipeline);
        errors.get(format)?.push(Math.abs(pipeline.estimate.outputBytes / result.length - 1));
      }
    }
  }
  const median = (measured: number[]) => ({ value: Math.round(100 * percentile(measured)), unit: '%' });
  const all = [...errors.values()].flat();
  return {
    ...Object.fromEntries([...errors].map(([format, of]) => [`${formatNames[format]}, median error`, median(of)])),
    [`all ${all.length}, median error`]: median(all),
  };
}
