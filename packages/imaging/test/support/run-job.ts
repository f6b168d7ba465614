import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { sizeFields } from '@uprez/contracts/recipe/recipe-choices';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { jobFiles } from '@uprez/contracts/schemas/jobs/child-messages';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { runPipeline } from '../../src/engine/run-pipeline.ts';
import type { EngineJob } from '../../src/engine/stages.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { makePipeline } from '../../src/pipeline/make-pipeline.ts';

const isSized = (recipe: Partial<Recipe>) => sizeFields.some((name) => recipe[name] !== undefined);

/** Returns a recipe that upscales by 2 with `standard` and always makes a new file, with `changes`. */
export const makeRecipe = (changes: Partial<Recipe> = {}): Recipe => ({
  ...recipeDefaults,
  neverLarger: false,
  engine: 'standard',
  ...(isSized(changes) ? {} : { scaleFactor: 2 }),
  ...changes,
});

export async function pipelineFor(file: Buffer, recipe: Partial<Recipe> = {}): Promise<ImagePipeline> {
  const outcome = makePipeline({
    recipe: makeRecipe(recipe),
    inspection: await inspect(file),
    sourceBytes: file.length,
    limits: { maxOutputPixels: 512_000_000, maxJobSeconds: 3_600, autoEngine: 'photo-fast' },
  });
  if (!outcome.ok) throw new Error(outcome.rejection.detail);
  return outcome.pipeline;
}

/** `mask`: a PNG in base64. `printProfile`: a CMYK profile. */
type JobInputs = { mask?: string | undefined; printProfile?: Buffer | undefined };

/** Creates a job folder with a source and other inputs. `remove` deletes it. */
export async function makeJobDir(file: Buffer, { mask, printProfile }: JobInputs = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'uprez-imaging-test-'));
  await writeFile(join(dir, jobFiles.source), file);
  if (mask) await writeFile(join(dir, jobFiles.mask), mask, 'base64');
  if (printProfile) await writeFile(join(dir, jobFiles.printProfile), printProfile);
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}

type JobOptions = Partial<EngineJob> & JobInputs;

export type Outcome = { result: Buffer; thumbnail: Buffer; report: Receipt };

/** Runs a pipeline in this process and returns its files. Throws when other files are left in the folder. */
export async function runJob(
  file: Buffer,
  pipeline: ImagePipeline,
  { mask, printProfile, ...options }: JobOptions = {},
): Promise<Outcome> {
  const { dir, remove } = await makeJobDir(file, { mask, printProfile });
  const signal = new AbortController().signal;
  try {
    const report = await runPipeline({ pipeline, dir, networks: {}, signal, onProgress: () => {}, ...options });
    const left = (await readdir(dir)).sort().join();
    if (left !== `${mask ? 'mask.png,' : ''}${printProfile ? 'print.icc,' : ''}result,source,thumbnail.webp`)
      throw new Error(`the folder holds ${left}`);
    const read = (name: string) => readFile(join(dir, name));
    return { report, result: await read(jobFiles.result), thumbnail: await read(jobFiles.thumbnail) };
  } finally {
    await remove();
  }
}

export const processFile = async (file: Buffer, recipe: Partial<Recipe> = {}, options: JobOptions = {}) =>
  runJob(file, await pipelineFor(file, recipe), { mask: recipe.mask, ...options });

/** Returns a JPEG XL file as PNG with all its metadata, because sharp can't read it, and other files as they are. */
export async function toReadable(file: Buffer): Promise<Buffer> {
  if ((await inspect(file)).format !== 'jxl') return file;
  const recipe = { scaleFactor: 1, format: 'png', metadata: 'all', gps: true } as const;
  return (await processFile(file, recipe)).result;
}
