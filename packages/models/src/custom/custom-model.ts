import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { customNameHint, customNamePattern, modelUses } from '@uprez/contracts/policy/images/engines';
import * as z from 'zod';
import { findFileWithSha256 } from '../files/sha256.ts';

const MiB = 1024 * 1024;

/** Limits for models that operators add. */
export const customModelLimits = {
  fileBytes: 256 * MiB,
  nodes: 10_000,
  /** Largest size of a weight along one axis. */
  dimension: 65_536,
  /** Largest integer in an attribute, such as a padding or a stride. */
  attribute: 1_024,
  opset: { min: 11, max: 21 },
  scale: { min: 1, max: 4 },
  /** Largest context that a tile may need on each side, in input pixels. */
  overlap: 48,
  /** Minimum PSNR of a test image to the model's output, after shrinking it to the image's size, in dB. */
  psnrDb: 22,
  /** Time and resident memory of the process that checks a model. */
  checkSeconds: 300,
  checkMemoryBytes: 4_096 * MiB,
} as const;

const text = z.string().trim().min(1).max(200);

/** What the operator states about a model. */
export const modelStatementsSchema = z.object({ title: text, license: text, source: text, for: z.enum(modelUses) });
export type ModelStatements = z.infer<typeof modelStatementsSchema>;

/** What the check of a model found. */
export const modelMeasurementsSchema = z.object({
  /** Output pixels per input pixel, along each side. */
  scale: z.int().min(customModelLimits.scale.min).max(customModelLimits.scale.max),
  /** Distance at which an input pixel visibly affects the output, in input pixels, as far as the test image shows. */
  radius: z.int().nonnegative(),
  /** Context that a tile needs on each side to match the whole image, in input pixels. */
  overlap: z.int().nonnegative().max(customModelLimits.overlap),
  pixelsPerSecond: z.number().positive(),
  /** Resident memory per input pixel of a tile. */
  bytesPerPixel: z.number().nonnegative(),
  /** PSNR of the test image to the output after shrinking it to the image's size, in dB. */
  psnrDb: z.number(),
});
export type ModelMeasurements = z.infer<typeof modelMeasurementsSchema>;

/** Content of `model.json`. */
const customModelSchema = modelStatementsSchema.extend({
  ...modelMeasurementsSchema.shape,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.int().positive().max(customModelLimits.fileBytes),
});
export type CustomModel = z.infer<typeof customModelSchema>;

export const customModelsFolder = (modelsDir: string): string => join(modelsDir, 'custom');
export const customModelFiles = { model: 'model.onnx', facts: 'model.json' } as const;

/** A model that can't be used. The message says what is wrong and what to do. */
export class ModelError extends Error {}

export const customModelPath = (modelsDir: string, name: string): string =>
  join(customModelsFolder(modelsDir), name, customModelFiles.model);

/** Returns the modification time of a custom model's file, or undefined if it doesn't exist. */
export const customModelTimeMs = (modelsDir: string, name: string): number | undefined =>
  statSync(customModelPath(modelsDir, name), { throwIfNoEntry: false })?.mtimeMs;

/** Lists the custom models by name. Leaves out damaged ones, but verifies only the size of the files. */
export function listCustomModels(modelsDir: string): Map<string, CustomModel> {
  const models = new Map<string, CustomModel>();
  for (const name of readFolder(customModelsFolder(modelsDir))) {
    const { data } = customModelSchema.safeParse(parseJson(readFacts(modelsDir, name) ?? ''));
    const file = statSync(customModelPath(modelsDir, name), { throwIfNoEntry: false });
    if (data && file?.size === data.sizeBytes) models.set(name, data);
  }
  return models;
}

/** Returns the names of custom models in a fixed order. Leaves out unfinished installations. */
function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => customNamePattern.test(name))
      .sort();
  } catch {
    return [];
  }
}

function readFacts(modelsDir: string, name: string): string | undefined {
  try {
    return readFileSync(join(customModelsFolder(modelsDir), name, customModelFiles.facts), 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Reads `model.json` of a custom model and verifies the SHA-256 checksum of `model.onnx`. Throws ModelError if the
 * model is missing or damaged.
 */
export async function locateCustomModel(modelsDir: string, name: string): Promise<CustomModel & { path: string }> {
  if (!customNamePattern.test(name)) throw new ModelError(`"${name}" isn't ${customNameHint}.`);
  const path = customModelPath(modelsDir, name);
  const facts = readFacts(modelsDir, name);
  if (facts === undefined)
    throw new ModelError(`The custom model "${name}" isn't installed. Add it with: npm run models:add`);
  const { data } = customModelSchema.safeParse(parseJson(facts));
  if (data && (await findFileWithSha256(path, data.sha256))) return { ...data, path };
  throw new ModelError(`The custom model "${name}" is damaged. Add it again with: npm run models:add`);
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
