import { findFileWithSha256 } from './files/sha256.ts';
import { type ModelFacts, type ModelId, models } from './manifest.ts';
import { modelPath } from './model-path.ts';

/** A model on this machine: the ONNX file, its checksum verified, and the manifest's facts. */
export type LocatedModel = { id: ModelId; path: string; facts: ModelFacts };

/**
 * Finds the converted model of `id` in `modelsDir` and verifies its SHA-256 (about 10 ms for `photo-fast`,
 * 80 ms for `photo`). Throws an error that says how to fetch it when it is absent or has other bytes.
 */
export async function locateModel(modelsDir: string, id: ModelId): Promise<LocatedModel> {
  const facts = models[id];
  const path = modelPath(modelsDir, id);
  const bytes = await findFileWithSha256(path, facts.onnx.sha256);
  if (!bytes) throw new Error(`${path} is missing or damaged. Fetch it with: npm run models:pull ${id}`);
  return { id, path, facts };
}
