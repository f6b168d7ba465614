import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mimeTypes, outputFormats } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import * as z from 'zod';
import { toolSchemas } from './tool-schemas.ts';
import { instructions, type ToolName, toolTexts } from './tool-texts.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const { mcpImageBytes, mcpImageSide, waitSeconds, maxWaitSeconds, downloadLinkMinutes, jsonImageBytes } = limits;

/** Makes the text of `facts.ts`. */
const makeFacts = (): string =>
  printFile(
    printConstant('Version of this package.', 'version', version),
    printConstant('What assistants read about the server.', 'instructions', instructions),
    printConstant('Limits in bytes, pixels, seconds, and minutes.', 'limits', {
      ...{ mcpImageBytes, mcpImageSide, waitSeconds, maxWaitSeconds, downloadLinkMinutes, jsonImageBytes },
    }),
    printConstant(
      'Media types by format.',
      'mediaTypes',
      Object.fromEntries(outputFormats.map((name) => [name, mimeTypes[name]])),
    ),
  );

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
const makeTools = (): string =>
  printFile(
    printConstant(
      'The tools. `localProperties`: arguments that a tool has only where it can access files.',
      'tools',
      (Object.keys(toolTexts) as ToolName[]).map(makeTool),
    ),
  );

const heading = '/** Generated from the API contracts by `npm run generate:mcp`. Do not edit. */\n';

/** Makes the text of a constant. `description`: a sentence. */
const printConstant = (description: string, name: string, value: unknown): string =>
  `/** ${description} */\nexport const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`;

/** Makes the text of a file from its constants. */
const printFile = (...constants: string[]): string => `${heading}\n${constants.join('\n')}`;

const place = (name: string) => fileURLToPath(new URL(`../src/generated/${name}.ts`, import.meta.url));

/** Generated files of the package. */
export const generated = [
  { path: place('facts'), make: makeFacts },
  { path: place('tools'), make: makeTools },
];
