import { writeFile } from 'node:fs/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { freeNotes } from '@uprez/contracts/policy/free-jobs';
import { outputFormats } from '@uprez/contracts/policy/images/image-formats';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { sha256 } from '@uprez/models/files/sha256';
import { strippedFormats } from '../../pipeline/may-return-source.ts';
import { stripMetadata } from '../../strip/strip-metadata.ts';
import type { StripOptions } from '../../strip/strip-options.ts';

/** The source with the metadata of the pipeline; undefined if only a part of its metadata may stay, which needs a new file. */
function selectSource(file: Buffer, { source, output: { metadata, gps } }: ImagePipeline): Buffer | undefined {
  if (metadata === 'all' && gps) return file;
  const format = strippedFormats.find((name) => name === source.format);
  // As in new files, the print resolution is part of what `none` removes, and `mayReturnSource` excludes other choices.
  const stripped = format && tryToStrip(file, format, { removesResolution: metadata === 'none' });
  return metadata === 'none' || stripped?.equals(file) ? stripped : undefined;
}

/** Undefined for files that decoders accept although they are damaged. */
function tryToStrip(file: Buffer, format: (typeof strippedFormats)[number], options: StripOptions): Buffer | undefined {
  try {
    return stripMetadata(file, format, options);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

type Returning = { pipeline: ImagePipeline; file: Buffer; receipt: Receipt; path: string };

/** Replaces the result at `path` by the source, if the pipeline allows it and the result is larger. Returns the receipt of what is there. */
export async function returnSource({ pipeline, file, receipt, path }: Returning): Promise<Receipt> {
  const format = outputFormats.find((name) => name === pipeline.source.format);
  if (!pipeline.output.neverLarger || !format) return receipt;
  const source = selectSource(file, pipeline);
  if (!source || receipt.sizeBytes <= source.length) return receipt;
  await writeFile(path, source);
  const { frames, bitDepth } = pipeline.source;
  return {
    ...receipt,
    ...{ format, frames, bitDepth, quality: null, sizeBytes: source.length, sha256: sha256(source) },
    colorDifference: { mean: 0, worst: 0 },
    fidelity: { score: 100, structure: 1, color: 0 },
    freeReason: 'original',
    notes: [freeNotes.original],
  };
}
