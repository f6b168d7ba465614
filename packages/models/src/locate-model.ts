import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findFileWithSha256 } from './files/sha256.ts';
import { type ModelId, models } from './manifest.ts';

export const modelPath = (modelsDir: string, id: string): string => join(modelsDir, `${id}.onnx`);

/** List the models whose file exists in `modelsDir`. Checksums are verified by `locateModel`. */
export const listModels = (modelsDir: string): ModelId[] =>
  (Object.keys(models) as ModelId[]).filter((id) => existsSync(modelPath(modelsDir, id)));

/** Return the path of an installed model, after verifying its SHA-256 (10 ms for `photo-fast`, 80 ms for `photo`). */
export async function locateModel(modelsDir: string, id: ModelId): Promise<string> {
  const path = modelPath(modelsDir, id);
  if (await findFileWithSha256(path, models[id].onnx.sha256)) return path;
  throw new Error(`${path} is missing or damaged. Fetch it with: npm run models:pull ${id}`);
}
