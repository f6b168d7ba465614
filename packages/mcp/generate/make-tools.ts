import * as z from 'zod';
import { printConstant, printFile } from './print-constant.ts';
import { toolSchemas } from './tool-schemas.ts';
import { type ToolName, toolTexts } from './tool-texts.ts';

type JsonSchema = Record<string, unknown>;

/** Hints about the effects of a tool. Tools of images create a job, and never change or overwrite anything. */
const creates = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
const hints: Record<ToolName, typeof creates> = {
  upscale_image: creates,
  resize_image: creates,
  convert_image: creates,
  estimate: reads,
  get_job: reads,
  get_account: reads,
  // A second call fails, because the file exists.
  save_result: { ...creates, idempotentHint: true },
};

const dropped = ['$schema', 'x-aliases', 'pattern', 'contentEncoding', 'additionalProperties'];

/**
 * Removes what models don't need and what would reject responses of a newer service: patterns, aliases, and the ban on
 * other fields. `isBase64`: no validator knows that format, and data URLs have another one.
 */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (value === null || typeof value !== 'object') return value;
  const schema = value as JsonSchema;
  const kept = Object.entries(schema).filter(
    ([name, inner]) =>
      !dropped.includes(name) &&
      !(name === 'format' && inner === 'base64') &&
      !(name === 'minimum' && inner === Number.MIN_SAFE_INTEGER) &&
      !(name === 'maximum' && inner === Number.MAX_SAFE_INTEGER),
  );
  return Object.fromEntries(kept.map(([name, inner]) => [name, name === 'properties' ? tidyAll(inner) : tidy(inner)]));
}

/** Fields may have the names of keywords: `format`. */
const tidyAll = (properties: unknown) =>
  Object.fromEntries(Object.entries(properties as JsonSchema).map(([name, schema]) => [name, tidy(schema)]));

const toJson = (schema: z.ZodType, io: 'input' | 'output') =>
  tidy(z.toJSONSchema(schema, { io, unrepresentable: 'any' })) as JsonSchema;

function makeTool(name: ToolName) {
  const { input, output, local } = toolSchemas[name];
  const { title, description } = toolTexts[name];
  return {
    name,
    title,
    description,
    inputSchema: { ...toJson(input, 'input'), additionalProperties: false },
    ...(local && { localProperties: toJson(z.object(local), 'input').properties }),
    outputSchema: toJson(output, 'output'),
    annotations: { title, ...hints[name] },
  };
}

/** Makes the text of `tools.ts`. */
export const makeTools = (): string =>
  printFile(
    printConstant(
      'The tools. `localProperties`: arguments that a tool has only where it can access files.',
      'tools',
      (Object.keys(toolTexts) as ToolName[]).map(makeTool),
    ),
  );
