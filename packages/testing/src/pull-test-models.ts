import { fileURLToPath } from 'node:url';
import { pullModel } from '@uprez/models/pull-model';

const modelsDir = fileURLToPath(new URL('../../../.data/test-models', import.meta.url));

/** Installs `photo-fast` alone, since workers start slower with larger networks. Returns the folder for MODELS_DIR. */
export async function pullTestModels(): Promise<string> {
  await pullModel({ modelsDir, id: 'photo-fast' });
  return modelsDir;
}
