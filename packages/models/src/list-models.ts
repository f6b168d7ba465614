import { existsSync } from 'node:fs';
import { type ModelId, models } from './manifest.ts';
import { modelPath } from './model-path.ts';

/** Models whose file lies in `modelsDir`, whatever its bytes: `locateModel` verifies them. */
export function listModels(modelsDir: string): ModelId[] {
  return (Object.keys(models) as ModelId[]).filter((id) => existsSync(modelPath(modelsDir, id)));
}
