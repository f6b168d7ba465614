import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import { anyCustomEngine } from '@uprez/contracts/policy/images/engines';
import { fileExtensions, outputFormats } from '@uprez/contracts/policy/images/image-formats';
import { maskFacts } from '@uprez/contracts/recipe/mask';
import { parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { recipeFields } from '@uprez/contracts/recipe/recipe-fields';

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
  const printProfile = findProfilePath(values['print-profile']);
  const given = recipeFlags.flatMap((name) => {
    const text = name === 'print-profile' && printProfile !== undefined ? fileProfile : values[name];
    return text === undefined ? [] : [[name, String(text)] as const];
  });
  const format = values.format ? [] : [['format', formatOfName(output)] as const];
  const { mask, report, receipt } = values as { mask?: string; report?: string; receipt?: string };
  const recipe = parseRecipe([...given, ...format], { neverLarger: false });
  return { input, output, recipe, mask, printProfile, report, receipt };
}

/** Returns the path of an ICC profile. Returns undefined for the name of a profile. */
const findProfilePath = (profile: string | boolean | undefined): string | undefined =>
  typeof profile === 'string' && /\.ic[cm]$/i.test(profile) ? profile : undefined;

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
    `  --engine ${anyCustomEngine} runs a model that was added with \`npm run models:add\`.`,
    '',
    ...fields,
    ...Object.entries(ownFlags).map(([name, text]) => line(name, text)),
    '',
  ].join('\n');
}
