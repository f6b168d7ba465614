import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import { fileExtensions, outputFormats } from '@uprez/contracts/policy/image-formats';
import { parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { recipeFields } from '@uprez/contracts/recipe/recipe-fields';
import { kebabCase } from './kebab-case.ts';
import { ownFlags } from './usage.ts';

/** `report`: a page to write that compares both images · `receipt`: a JSON file to write. */
export type CliJob = { input: string; output: string; recipe: Recipe; report?: string; receipt?: string };

/** Nothing is stored on one's own machine. */
const recipeFlags = ['scale', ...Object.keys(recipeFields).map(kebabCase)].filter((name) => name !== 'retention');

/**
 * Read the command line; `undefined` when help was asked for. The recipe is read by the same rules as the API's, from
 * the same names in kebab-case. Throws AppError `invalid_parameter` or `conflicting_params`.
 */
export function readArguments(args: string[]): CliJob | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [input, output, ...more] = positionals;
  if (!input || !output || more.length > 0)
    throw new AppError('invalid_parameter', { detail: 'Name one input file and one output file.' });
  const given = recipeFlags.flatMap((name) => {
    const text = values[name];
    return text === undefined ? [] : [[name, String(text)] as const];
  });
  const format = values.format ? [] : [['format', formatOfName(output)] as const];
  const { report, receipt } = values as { report?: string; receipt?: string };
  return {
    ...{ input, output, recipe: parseRecipe([...given, ...format]) },
    ...(report ? { report } : {}),
    ...(receipt ? { receipt } : {}),
  };
}

function parse(args: string[]): { values: Record<string, string | boolean | undefined>; positionals: string[] } {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const flags = [...recipeFlags, ...Object.keys(ownFlags).filter((name) => name !== 'help')];
  const options = {
    ...Object.fromEntries(flags.map((name) => [name, name === 'gps' ? flag : text])),
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true });
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
    detail: `The name "${output}" does not say which format to write. Add --format: ${outputFormats.join(', ')}.`,
  });
}
