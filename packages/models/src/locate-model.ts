import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findFileWithSha256 } from './files/sha256.ts';
import { type ModelId, models } from './manifest.ts';

export const modelPath = (modelsDir: string, id: string): string => join(modelsDir, `${id}.onnx`);

/** Lists the models whose file exists in `modelsDir`. Checksums are verified by `locateModel`. */
export const listModels = (modelsDir: string): ModelId[] =>
  (Object.keys(models) as ModelId[]).filter((id) => existsSync(modelPath(modelsDir, id)));

/** Returns the modification time of a model's file, or undefined if it doesn't exist. */
export const modelTimeMs = (modelsDir: string, id: string): number | undefined =>
  statSync(modelPath(modelsDir, id), { throwIfNoEntry: false })?.mtimeMs;

/**
 * Returns the path of the marker file that exists while a model is being pulled. A pull touches it often. A killed pull
 * leaves it behind.
 */
export const pullMarkerPath = (modelsDir: string, id: string): string => join(modelsDir, `${id}.pulling`);
const pullMarkerLifeMs = 60_000;

/** Lists the models that are being pulled. */
export const listPulls = (modelsDir: string): ModelId[] =>
  (Object.keys(models) as ModelId[]).filter((id) => {
    const touched = statSync(pullMarkerPath(modelsDir, id), { throwIfNoEntry: false })?.mtimeMs;
    return touched !== undefined && Date.now() - touched < pullMarkerLifeMs;
  });

/**
 * Returns the path of an installed model, after verifying its SHA-256 (10 ms for `photo-fast`, 80 ms for `photo`).
 * Throws Error if the file is missing or damaged.
 */
export async function locateModel(modelsDir: string, id: ModelId): Promise<string> {
  const path = modelPath(modelsDir, id);
  if (await findFileWithSha256(path, models[id].onnx.sha256)) return path;
  throw new Error(`${path} is missing or damaged. Fetch it with: npm run models:pull ${id}`);
}
