import { parseArgs } from 'node:util';
import { isS3Url, parseS3Url } from './buckets/s3-url.ts';
import { CliError } from './cli-error.ts';
import { checkValue, cliFlags, recipeFlags } from './flags.ts';

export type RunOptions = {
  inputs: string[];
  out: string;
  base?: string;
  fields: Record<string, string>;
  concurrency: number;
  force: boolean;
  local: boolean;
  dryRun: boolean;
};
/** `secret` is undefined if it must be derived from the API key. */
export type ListenOptions = { forwardTo: string; secret: string | undefined };
export type Common = { url?: string; sandbox: boolean; json: boolean; quiet: boolean };
export type Command = Common &
  (
    | { name: 'process'; options: RunOptions }
    | { name: 'watch'; options: RunOptions; intervalS: number }
    | { name: 'listen'; options: ListenOptions }
    | { name: 'login' | 'logout' | 'account' | 'help' | 'version' }
  );

type Values = Record<string, string | boolean | undefined>;

/** Parses the command line. Throws CliError if it is invalid. */
export function parseArguments(args: string[]): Command {
  const { values, positionals } = parse(args);
  const { sandbox = false, json = false, quiet = false, url } = values as Partial<Common>;
  const common = { sandbox, json, quiet, ...(url && { url }) };
  if (values.help) return { ...common, name: 'help' };
  if (values.version) return { ...common, name: 'version' };
  const [first, ...rest] = positionals;
  if (first === undefined || first === 'help') return { ...common, name: 'help' };
  if (first === 'login' || first === 'logout' || first === 'account') return { ...common, name: first };
  if (first === 'process') return { ...common, name: 'process', options: readProcess(values, rest) };
  if (first === 'listen') return { ...common, name: 'listen', options: readListen(values, rest) };
  if (first === 'watch') return readWatch(values, { inputs: rest, common });
  return { ...common, name: 'process', options: readWork(values, positionals) };
}

/** Without `--out`, the last argument is the output. */
function readProcess(values: Values, inputs: string[]): RunOptions {
  if (values.out !== undefined || inputs.length < 2) return readWork(values, inputs);
  return readWork({ ...values, out: inputs.at(-1) }, inputs.slice(0, -1));
}

function readWatch(values: Values, { inputs, common }: { inputs: string[]; common: Common }): Command {
  if (values['dry-run']) throw new CliError('--dry-run can\'t be used with "uprez watch".');
  if (inputs.some(isS3Url)) throw new CliError('"uprez watch" can\'t be used with buckets. Pass a folder.');
  const intervalS = readCount(values, 'interval', 2);
  return { ...common, name: 'watch', options: readWork(values, inputs), intervalS };
}

function readListen(values: Values, rest: string[]): ListenOptions {
  const { 'forward-to': forwardTo, secret } = values;
  if (rest.length > 0) throw new CliError('"uprez listen" takes no images. See uprez --help.');
  if (typeof forwardTo !== 'string' || !/^https?:\/\//i.test(forwardTo) || !URL.canParse(forwardTo))
    throw new CliError('Pass the URL of your endpoint: --forward-to http://localhost:3000/webhooks');
  if (secret !== undefined && !/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(String(secret)))
    throw new CliError('--secret must be a signing secret, such as whsec_MfKQ9r8GKYqrTwjU.');
  return { forwardTo, secret: secret === undefined ? undefined : String(secret) };
}

function readWork(values: Values, inputs: string[]): RunOptions {
  if (inputs.length === 0) throw new CliError('Pass at least one image or folder. See uprez --help.');
  if (typeof values.out !== 'string' || values.out === '')
    throw new CliError('Pass an output folder: --out FOLDER. See uprez --help.');
  const given = [...recipeFlags].flatMap(([flag, { name }]) => {
    const value = values[flag];
    return value === undefined ? [] : [[name, checkValue(flag, String(value))] as const];
  });
  const local = values.local === true;
  for (const url of [...inputs, values.out].filter(isS3Url)) parseS3Url(url);
  const base = typeof values.base === 'string' && { base: values.base };
  const options = { inputs, out: values.out, ...base, fields: Object.fromEntries(given), local };
  if (local) checkLocal(values);
  return {
    ...options,
    concurrency: readCount(values, 'concurrency', local ? 1 : 4),
    force: values.force === true,
    dryRun: values['dry-run'] === true,
  };
}

function checkLocal(values: Values): void {
  for (const flag of ['dry-run', 'sandbox', 'retention', 'url'])
    if (values[flag] !== undefined) throw new CliError(`--${flag} can't be used with --local.`);
  if (values.format === 'auto')
    throw new CliError("--format auto can't be used with --local. Choose a format, such as --format png.");
}

function readCount(values: Values, flag: string, fallback: number): number {
  const text = values[flag];
  if (text === undefined) return fallback;
  if (!/^[1-9]\d{0,2}$/.test(String(text))) throw new CliError(`--${flag} must be a whole number from 1 to 999.`);
  return Number(text);
}

function parse(args: string[]): { values: Values; positionals: string[] } {
  const recipe = [...recipeFlags].map(([flag, { kind }]) => [flag, { type: kind === 'flag' ? 'boolean' : 'string' }]);
  const own = Object.entries(cliFlags).map(([flag, { argument, short }]) => [
    flag,
    { type: argument ? 'string' : 'boolean', ...(short && { short }) },
  ]);
  const options = Object.fromEntries([...recipe, ...own]) as Record<string, { type: 'string' | 'boolean' }>;
  try {
    return parseArgs({ args, options, allowPositionals: true, allowNegative: true });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split(/[.\n]/)[0] : String(cause);
    throw new CliError(`${reason}. See uprez --help.`);
  }
}
