import { parseArgs } from 'node:util';
import { CliError } from './cli-error.ts';
import { ownFlags } from './own-flags.ts';
import { checkValue, recipeFlags } from './recipe-flags.ts';

/** How images are made, and where they go. */
export type Work = {
  inputs: string[];
  out: string;
  /** Parameters of the API. */
  fields: Record<string, string>;
  concurrency: number;
  force: boolean;
  local: boolean;
  dryRun: boolean;
};
export type Common = { url?: string; sandbox: boolean; json: boolean; quiet: boolean };
export type Command = Common &
  (
    | { name: 'process'; work: Work }
    | { name: 'watch'; work: Work; intervalS: number }
    | { name: 'login' | 'logout' | 'account' | 'help' | 'version' }
  );

type Values = Record<string, string | boolean | undefined>;

/** Read the command line. Throws CliError. */
export function readArguments(args: string[]): Command {
  const { values, positionals } = parse(args);
  const { sandbox = false, json = false, quiet = false, url } = values as Partial<Common>;
  const common = { sandbox, json, quiet, ...(url && { url }) };
  if (values.help) return { ...common, name: 'help' };
  if (values.version) return { ...common, name: 'version' };
  const [first, ...rest] = positionals;
  if (first === undefined || first === 'help') return { ...common, name: 'help' };
  if (first === 'login' || first === 'logout' || first === 'account') return { ...common, name: first };
  if (first === 'watch') return readWatch(values, { inputs: rest, common });
  return { ...common, name: 'process', work: readWork(values, positionals) };
}

function readWatch(values: Values, { inputs, common }: { inputs: string[]; common: Common }): Command {
  if (values['dry-run']) throw new CliError('--dry-run and watch do not go together.');
  const intervalS = readCount(values, 'interval', 2);
  return { ...common, name: 'watch', work: readWork(values, inputs), intervalS };
}

function readWork(values: Values, inputs: string[]): Work {
  if (inputs.length === 0) throw new CliError('Name the images or folders to work on. See uprez --help.');
  if (typeof values.out !== 'string' || values.out === '')
    throw new CliError('Say where results go: --out FOLDER. See uprez --help.');
  const given = [...recipeFlags].flatMap(([flag, { name }]) => {
    const value = values[flag];
    return value === undefined ? [] : [[name, checkValue(flag, String(value))] as const];
  });
  const local = values.local === true;
  const work = { inputs, out: values.out, fields: Object.fromEntries(given), local };
  if (local) checkLocal(values);
  return {
    ...work,
    concurrency: readCount(values, 'concurrency', local ? 1 : 4),
    force: values.force === true,
    dryRun: values['dry-run'] === true,
  };
}

/** What needs the service. */
function checkLocal(values: Values): void {
  for (const flag of ['dry-run', 'sandbox', 'retention', 'url'])
    if (values[flag] !== undefined) throw new CliError(`--${flag} needs the service: it does not go with --local.`);
  if (values.format === 'auto') throw new CliError('With --local, name a format: --format png.');
}

function readCount(values: Values, flag: string, otherwise: number): number {
  const text = values[flag];
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,2}$/.test(String(text))) throw new CliError(`--${flag} must be a whole number from 1 to 999.`);
  return Number(text);
}

function parse(args: string[]): { values: Values; positionals: string[] } {
  const recipe = [...recipeFlags].map(([flag, { kind }]) => [flag, { type: kind === 'flag' ? 'boolean' : 'string' }]);
  const own = Object.entries(ownFlags).map(([flag, { takes, short }]) => [
    flag,
    { type: takes ? 'string' : 'boolean', ...(short && { short }) },
  ]);
  const options = Object.fromEntries([...recipe, ...own]) as Record<string, { type: 'string' | 'boolean' }>;
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split(/[.\n]/)[0] : String(cause);
    throw new CliError(`${reason}. See uprez --help.`);
  }
}
