import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import { fileExtensions, outputFormats } from '@uprez/contracts/policy/images/image-formats';
import { maskFacts } from '@uprez/contracts/recipe/mask';
import { parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { recipeFields } from '@uprez/contracts/recipe/recipe-fields';
import { customModelSlot } from '../pipeline/custom-tiles.ts';

/** Name of a profile in a recipe whose file was passed. */
export const fileProfile = 'file';

/** `mask`: a PNG to read. `report`: an HTML file to write. `receipt`: a JSON file to write. */
export type CliJob = {
  input: string;
  output: string;
  recipe: Recipe;
  mask?: string | undefined;
  /** File of the CMYK profile that the recipe names `fileProfile`. */
  printProfile?: string | undefined;
  /** Name of a custom model, which runs instead of the engine of the recipe. */
  custom?: string | undefined;
  report?: string | undefined;
  receipt?: string | undefined;
};

const ownFlags = {
  mask: `File with a mask. ${maskFacts.description} (${maskFacts.allowed})`,
  report: 'File for an HTML page that compares both images',
  receipt: 'File for a JSON receipt',
  help: 'Show this help',
};
const toKebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** Leaves out the retention, because it doesn't apply to local results. */
const { retention: _, ...usedFields } = recipeFields;
const recipeFlags = ['scale', ...Object.keys(usedFields).map(toKebabCase)];

/** The prefix `--no-` turns them off. */
const booleanFlags = new Set(
  Object.entries(usedFields).flatMap(([name, { kind }]) => (kind === 'flag' ? [toKebabCase(name)] : [])),
);

/** Parses the command line by the same rules as the API. Returns undefined for `--help`. Throws AppError. */
export function readArguments(args: string[]): CliJob | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [input, output, ...more] = positionals;
  if (!input || !output || more.length > 0)
    throw new AppError('invalid_parameter', {
      detail: 'Pass one input file and one output file. See uprez-image --help.',
    });
  const custom = findCustomName(values.engine);
  const printProfile = findProfilePath(values['print-profile']);
  const replaced: Record<string, string | undefined> = {
    engine: custom === undefined ? undefined : customModelSlot,
    'print-profile': printProfile === undefined ? undefined : fileProfile,
  };
  const given = recipeFlags.flatMap((name) => {
    const text = replaced[name] ?? values[name];
    return text === undefined ? [] : [[name, String(text)] as const];
  });
  const format = values.format ? [] : [['format', formatOfName(output)] as const];
  const { mask, report, receipt } = values as { mask?: string; report?: string; receipt?: string };
  const recipe = parseRecipe([...given, ...format], { neverLarger: false });
  if (custom !== undefined) rejectUnsupportedOptions(recipe);
  return { input, output, recipe, mask, printProfile, custom, report, receipt };
}

/** Returns the path of an ICC profile. Returns undefined for the name of a profile. */
const findProfilePath = (profile: string | boolean | undefined): string | undefined =>
  typeof profile === 'string' && /\.ic[cm]$/i.test(profile) ? profile : undefined;

const customPrefix = 'custom:';

/** Returns the name of an engine that is a custom model. Returns undefined for other engines. */
const findCustomName = (engine: string | boolean | undefined): string | undefined =>
  typeof engine === 'string' && engine.startsWith(customPrefix) ? engine.slice(customPrefix.length) : undefined;

/** Returns the name of the engine that runs a job. `engine`: the engine of its pipeline. */
export const nameEngine = <E extends string>({ custom }: Pick<CliJob, 'custom'>, engine: E) =>
  custom === undefined ? engine : (`${customPrefix}${custom}` as const);

/** Custom models run on whole images, in tiles of their own size. Throws AppError `conflicting_params`. */
function rejectUnsupportedOptions({ detail, edges }: Recipe): void {
  const option = detail === 'crisp' ? '--detail crisp' : edges === 'wrap' ? '--edges wrap' : undefined;
  if (option)
    throw new AppError('conflicting_params', { detail: `Custom models don't support ${option}. Leave it out.` });
}

function parse(args: string[]): { values: Record<string, string | boolean | undefined>; positionals: string[] } {
  const flags = [...recipeFlags, ...Object.keys(ownFlags)];
  const typed = flags.map((name) => [name, { type: booleanFlags.has(name) ? 'boolean' : 'string' }] as const);
  const options = { ...Object.fromEntries(typed), help: { type: 'boolean', short: 'h' } } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true, allowNegative: true });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split(/[.\n]/)[0] : String(cause);
    throw new AppError('invalid_parameter', { detail: `${reason}. See uprez-image --help.`, cause });
  }
}

function formatOfName(output: string): string {
  const extension = extname(output).slice(1).toLowerCase();
  const format = outputFormats.find((name) => name === extension || fileExtensions[name] === extension);
  if (format) return format;
  throw new AppError('invalid_parameter', {
    detail: `The extension of "${output}" isn't a known format. Add --format with one of ${outputFormats.join(', ')}.`,
  });
}

export function formatUsage(): string {
  const line = (flag: string, text: string) => `  --${flag.padEnd(14)} ${text}`;
  const fields = Object.entries(usedFields).map(([name, { description, allowed, kind }]) => {
    const text = description.replaceAll('`', '');
    return line(toKebabCase(name), kind === 'flag' ? text : `${text} (${allowed})`);
  });
  return [
    'Usage: uprez-image INPUT OUTPUT [--scale N] [options]',
    '',
    '  The format is derived from the extension of OUTPUT. --scale is short for --scale-factor.',
    '  --print-profile FILE.icc converts to the CMYK profile in a file.',
    `  --engine ${customPrefix}NAME runs a model that was added with \`npm run models:add\`.`,
    '',
    ...fields,
    ...Object.entries(ownFlags).map(([name, text]) => line(name, text)),
    '',
  ].join('\n');
}
