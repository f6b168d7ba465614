import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '@uprez/contracts/app-error';
import { parseRecipe } from '@uprez/contracts/parse-recipe';
import { fileExtensions, outputFormats } from '@uprez/contracts/picture-formats';
import type { Recipe } from '@uprez/contracts/recipe';

export const usage = `Usage: uprez-image INPUT OUTPUT [--scale N] [--engine NAME] [--format NAME] [--quality N]

  --scale    1 to 8, decimals too (default 2)
  --engine   auto, photo-fast, photo, standard (default auto)
  --format   ${outputFormats.join(', ')} (default: from the name of OUTPUT)
  --quality  1 to 100, for jpeg and webp (default 95)
`;

export type CliJob = { input: string; output: string; recipe: Recipe };

/**
 * Read the command line; `undefined` when help was asked for. The recipe is read by the same rules as the API's.
 * Throws AppError `invalid_parameter`.
 */
export function readArguments(args: string[]): CliJob | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [input, output, ...more] = positionals;
  if (!input || !output || more.length > 0)
    throw new AppError('invalid_parameter', { detail: 'Name one input file and one output file.' });
  const format = values.format ?? formatOfName(output);
  const fields = Object.entries({ ...values, format }).filter((field): field is [string, string] => !!field[1]);
  return { input, output, recipe: parseRecipe(fields) };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const options = {
    scale: text,
    engine: text,
    format: text,
    quality: text,
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('. ')[0] : String(cause);
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
