import { Readable } from 'node:stream';
import type { JobEngine } from '@uprez/contracts/policy/images/engines';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { Actor } from '@uprez/domain/actor';
import { type CreatedJob, createJob, type NewJob } from '@uprez/domain/jobs/create-job';
import { beginUpload } from '@uprez/domain/uploads/begin-upload';
import type { TestContext } from './open-test-context.ts';

export const smallPipeline: ImagePipeline = {
  engine: 'standard',
  source: {
    format: 'png',
    width: 8,
    height: 8,
    orientation: 1,
    channels: 3,
    space: 'rgb',
    isPalette: false,
    bitDepth: 8,
    hasAlpha: false,
    hasProfile: false,
    decodesWhole: false,
    frames: 1,
  },
  crop: null,
  shrinks: false,
  passes: 0,
  tile: null,
  tiles: 0,
  strip: null,
  strips: 0,
  bands: 0,
  output: {
    width: 16,
    height: 16,
    format: 'png',
    quality: 95,
    targetBytes: null,
    bitDepth: 8,
    frames: 1,
    background: '#ffffff',
    metadata: 'none',
    gps: false,
  },
  estimate: { seconds: 0.1, peakMemoryBytes: 1_000_000, outputBytes: 1_000 },
};

/** `seconds`: the estimated processing time. `engine`: `standard` by default. */
export type JobOptions = {
  bytes?: string;
  idempotencyKey?: string;
  factor?: number;
  seconds?: number;
  engine?: JobEngine;
};
type Verbs = Pick<TestContext, 'db' | 'storage' | 'queue' | 'publisher' | 'log'>;

/** Stores a source and returns the input of a job. The source is plain text, so workers must not process the job. */
export async function makeNewJob(
  ctx: Pick<TestContext, 'db' | 'storage'>,
  actor: Actor,
  options: JobOptions = {},
): Promise<NewJob> {
  const bytes = Buffer.from(options.bytes ?? 'an image');
  const upload = await beginUpload(ctx, { actor, bytes: bytes.length });
  const { seconds = smallPipeline.estimate.seconds, engine = smallPipeline.engine } = options;
  const stored = await ctx.storage.put(upload.key, Readable.from([bytes]));
  return {
    actor,
    recipe: { ...recipeDefaults, scaleFactor: options.factor ?? 2, engine },
    plan: { ...smallPipeline, engine, estimate: { ...smallPipeline.estimate, seconds } },
    filename: 'image.png',
    source: { id: upload.id, ...stored, inspection: smallPipeline.source },
    idempotencyKey: options.idempotencyKey,
  };
}

/** Creates a queued job with the input of `makeNewJob`. */
export const makeJob = async (ctx: Verbs, actor: Actor, options: JobOptions = {}): Promise<CreatedJob> =>
  createJob(ctx, await makeNewJob(ctx, actor, options));
