import { availableParallelism } from 'node:os';
import type { JobEngine } from '@uprez/contracts/policy/images/engines';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import type { Figures } from '@uprez/testing/bench-report';
import { isMessage, startChild } from '../test/support/child-process.ts';
import { makeJobDir, pipelineFor } from '../test/support/run-job.ts';
import { makeJpeg } from './bench-images.ts';
import { watchMemory } from './watch-memory.ts';

type Case = { name: string; width: number; height: number; recipe: Partial<Recipe>; mostGB: number };

const large: Case = {
  name: '`standard`, baseline JPEG of 100 MP to a JPEG of 25 MP',
  ...{ width: 10_000, height: 10_000, recipe: { engine: 'standard', scaleFactor: 0.5, format: 'jpeg' } },
  mostGB: 0.4,
};
const upscaled: Case = {
  name: '`photo-fast`, 25 MP to a PNG of 400 MP',
  ...{ width: 5_000, height: 5_000, recipe: { engine: 'photo-fast', scaleFactor: 4, format: 'png' } },
  mostGB: 1.0,
};

/** Peak resident memory of the child for a large resampled image. */
export const memory = (): Promise<Figures> => measure(large);

/** The same for 400 MP of a network, which take 10 minutes. */
export const memoryLong = (): Promise<Figures> => measure(upscaled);

async function measure({ name, width, height, recipe, mostGB }: Case): Promise<Figures> {
  const file = await makeJpeg(width, height);
  const pipeline = await pipelineFor(file, recipe);
  const { dir, remove } = await makeJobDir(file);
  const engines: JobEngine[] = ['standard', pipeline.engine];
  const options = { engines, modelsDir: modelsDirOfEnvironment(), threads: availableParallelism() };
  const child = startChild('engine/child', options);
  try {
    await child.next(isMessage('ready'));
    const watched = watchMemory(child.process.pid);
    child.send({ type: 'run', runId: 'bench', pipeline, dir });
    const done = await child.next(
      (message) => isMessage('done', 'bench')(message) || isMessage('failed', 'bench')(message),
    );
    const gigabytes = watched.stop() / 1e9;
    if (done.type !== 'done') throw new Error(JSON.stringify(done));
    const seconds = Object.values(done.result.stagesMs).reduce((sum, ms) => sum + ms, 0) / 1_000;
    return {
      [name]: { value: seconds, unit: 's' },
      [`${name}, resident memory`]: { value: gigabytes, atMost: mostGB, unit: 'GB' },
    };
  } finally {
    await child.stop();
    await remove();
  }
}
