import { parseArgs } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import { parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { Recipe } from '@uprez/contracts/recipe/recipe';

/**
 * `out`: a JSON file to write. `maxJobSeconds`: maximum estimated time, and maximum processing time. `damage`: if set,
 * damaged copies of each file are processed instead of the file.
 */
export type CorpusJob = {
  folder: string;
  out?: string;
  recipe: Recipe;
  maxJobSeconds: number;
  damage?: { copies: number; seed: number };
};

const defaultMaxSeconds = 3_600;
const stringOption = { type: 'string' } as const;
const recipeFlags = ['engine', 'scale', 'format'] as const;

export const corpusUsage = `Usage: npm run test:corpus -- FOLDER [options]

  Processes every file of a folder. Exits with code 1 if a file crashed the engine.

  --engine       Engine (default standard)
  --scale        Scale factor (default 2)
  --format       File format of the results (default png)
  --time-limit   Maximum time per file in seconds (default ${defaultMaxSeconds})
  --damage       Number of damaged copies of each file to process instead of the files
  --seed         Number that selects the damage (default 1)
  --out          File for a full JSON report
  --help         Show this help
`;

/** Parses the command line. Returns undefined for `--help`. Throws AppError `invalid_parameter`. */
export function readCorpusArguments(args: string[]): CorpusJob | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [folder, ...more] = positionals;
  if (!folder || more.length > 0) throw new AppError('invalid_parameter', { detail: 'Pass one folder. See --help.' });
  const maxJobSeconds = Number(values['time-limit'] ?? defaultMaxSeconds);
  if (!(maxJobSeconds > 0))
    throw new AppError('invalid_parameter', { detail: '"time-limit" must be a number of seconds above 0.' });
  const given = { engine: 'standard', ...values };
  const recipe = parseRecipe(recipeFlags.flatMap((name) => (given[name] ? [[name, given[name]] as const] : [])));
  const damage = values.damage
    ? { copies: readCount('damage', values.damage), seed: readCount('seed', values.seed ?? '1') }
    : undefined;
  return { folder, recipe, maxJobSeconds, ...(values.out && { out: values.out }), ...(damage && { damage }) };
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new AppError('invalid_parameter', { detail: `"${name}" must be a whole number above 0.` });
}

function parse(args: string[]) {
  const options = {
    ...{
      engine: stringOption,
      scale: stringOption,
      format: stringOption,
      out: stringOption,
      'time-limit': stringOption,
      damage: stringOption,
      seed: stringOption,
    },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (cause) {
    throw new AppError('invalid_parameter', { detail: cause instanceof Error ? cause.message : String(cause), cause });
  }
}
