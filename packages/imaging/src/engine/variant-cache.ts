import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, cpus, platform } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '@uprez/models/files/sha256';
import type { Recipe } from '@uprez/models/onnx/recipe';
import * as z from 'zod';

/** `key`: of everything the result depends on. */
const entrySchema = z.object({ key: z.string(), psnrDb: z.number() });

/** The result of a comparison of INT8 with FP32, in a file. */
export type VariantCache = { read: () => Promise<number | undefined>; write: (psnrDb: number) => Promise<void> };

type Compared = { folder: string } & Pick<Recipe, 'fp32Sha256' | 'int8Sha256'>;

/**
 * Cache the comparison of two variants of a model on this processor. A file that is missing, unreadable, invalid, or of another
 * processor, model, or version of ONNX Runtime is ignored, and so is a folder that can't be written.
 */
export async function openVariantCache({ folder, fp32Sha256, int8Sha256 }: Compared): Promise<VariantCache> {
  const { version } = z.object({ version: z.string() }).parse(require('onnxruntime-node/package.json'));
  const key = sha256(Buffer.from(JSON.stringify([await describeCpu(), version, fp32Sha256, int8Sha256])));
  const path = join(folder, `int8-${key.slice(0, 16)}.json`);
  const read = async () => {
    const { data } = entrySchema.safeParse(await readJson(path));
    return data?.key === key ? data.psnrDb : undefined;
  };
  const write = (psnrDb: number) => replaceFile(path, JSON.stringify({ key, psnrDb }));
  return { read, write };
}

const require = createRequire(import.meta.url);

/** The model and the instructions of the processor, because virtual machines hide the exact model. */
async function describeCpu(): Promise<string[]> {
  const info = platform() === 'linux' ? await readFile('/proc/cpuinfo', 'utf8').catch(() => '') : '';
  const lines = info.split('\n\n', 1)[0]?.match(/^(?:model|model name|stepping|flags|Features)\s*:.*$/gm) ?? [];
  return [platform(), arch(), cpus()[0]?.model ?? '', ...lines];
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Write a file that readers see completely or not at all, if its folder is writable. */
async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.${randomUUID()}`;
  try {
    await writeFile(part, text, { flag: 'wx', mode: 0o644 });
    await rename(part, path);
  } catch {
    await rm(part, { force: true }).catch(() => undefined);
  }
}
