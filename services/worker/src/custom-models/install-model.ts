import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeTooLarge } from '@uprez/models/custom/check-model';
import {
  type CustomModel,
  customModelFiles,
  customModelLimits,
  customModelsFolder,
  ModelError,
  type ModelStatements,
} from '@uprez/models/custom/custom-model';
import { sha256 } from '@uprez/models/files/sha256';
import type { Jail } from '@uprez/runtime/jail';
import { checkInJail } from './check-in-jail.ts';

type InstallInput = {
  file: string;
  name: string;
  statements: ModelStatements;
  modelsDir: string;
  jail: Jail;
};

/**
 * Checks a model in a jail and installs it in `MODELS_DIR/custom/NAME`. Throws ModelError if the model can't be used or
 * the name is taken. Nothing is installed then.
 */
export async function installModel({ file, name, statements, modelsDir, jail }: InstallInput) {
  const bytes = await readModel(file);
  const measured = await checkInJail(bytes, jail);
  const model: CustomModel = { ...statements, ...measured, sha256: sha256(bytes), sizeBytes: bytes.length };
  const folder = join(customModelsFolder(modelsDir), name);
  const part = `${folder}.${randomUUID()}.part`;
  try {
    await mkdir(part, { recursive: true });
    await writeFile(join(part, customModelFiles.model), bytes);
    await writeFile(join(part, customModelFiles.facts), `${JSON.stringify(model, null, 2)}\n`);
    // Renaming a folder fails if another one is in its place, so models are never mixed.
    await rename(part, folder).catch((cause) => {
      if (cause.code !== 'ENOTEMPTY' && cause.code !== 'EEXIST') throw cause;
      throw new ModelError(`The folder ${folder} already exists. Delete it, or choose another name.`);
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return { model, folder };
}

/** Reads a regular file up to the size limit. Throws ModelError. */
async function readModel(path: string): Promise<Buffer> {
  const file = await open(path).catch((cause) => {
    throw new ModelError(`Couldn't read the file "${path}" (${cause.code}). Check its path.`);
  });
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new ModelError(`"${path}" isn't a regular file. Pass an ONNX file.`);
    if (facts.size > customModelLimits.fileBytes) throw new ModelError(describeTooLarge());
    if (facts.size === 0) throw new ModelError(`The file "${path}" is empty. Download or export the model again.`);
    const bytes = Buffer.allocUnsafeSlow(facts.size);
    const { bytesRead } = await file.read(bytes, 0, facts.size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
