import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { Metadata } from 'sharp';
import { guardedSharp } from '../../src/decoders.ts';
import { openVipsFile } from '../../src/engine/rows/row-file.ts';
import { checkSource } from '../../src/engine/steps/check-source.ts';
import { type DecodeResult, decode } from '../../src/engine/steps/decode.ts';
import { unpackSource } from '../../src/engine/steps/unpack-source.ts';
import { readAll } from './image-streams.ts';
import type { Image } from './images.ts';
import { pipelineFor } from './run-job.ts';

export type DecodedImage = DecodeResult & { image: Image; header: Metadata; pipeline: ImagePipeline };

/** Decodes a file as the engine does for this recipe, and reads its output. */
export async function decodeImage(file: Buffer, recipe: Partial<Recipe> = {}): Promise<DecodedImage> {
  const pipeline = await pipelineFor(file, { scaleFactor: 1, format: 'png', ...recipe });
  const dir = await mkdtemp(join(tmpdir(), 'uprez-decode-test-'));
  try {
    const path = join(dir, 'decoded.v');
    await checkSource(file, pipeline);
    const unpacked = await unpackSource({ file, pipeline, path: join(dir, 'unpacked.tif') });
    const decoded = await decode(unpacked, pipeline, path);
    return { ...decoded, pipeline, header: await guardedSharp(path).metadata(), image: await readVips(path) };
  } finally {
    await rm(dir, { recursive: true });
  }
}

async function readVips(path: string): Promise<Image> {
  const file = await openVipsFile(path);
  try {
    return await readAll(file.stream());
  } finally {
    await file.close();
  }
}
