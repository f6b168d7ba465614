import { recipeFields } from '@uprez/sdk-node/facts';

/** An error with a message for the workflow log. */
export class ActionError extends Error {}

export type Inputs = ReturnType<typeof readInputs>;
export type Runner = ReturnType<typeof readRunner>;

// The runner keeps hyphens in the names of input variables, such as `INPUT_API-KEY`.
const read = (name: string) => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim();

/** Reads the inputs of the step. Throws ActionError if an input is missing or invalid. */
export function readInputs() {
  const out = read('out') || 'upscaled';
  return {
    apiKey: readRequired('api-key'),
    baseUrl: readUrl('base-url'),
    mode: readOne('mode', ['process', 'check']),
    patterns: readLines('paths'),
    isChangedOnly: readOne('changed-only', ['true', 'false']) === 'true',
    flags: readLines('options').flatMap(toFlag),
    out,
    maxUnits: readCount('max-units', 0),
    concurrency: readCount('concurrency', 1) ?? 4,
    isSandbox: readOne('sandbox', ['false', 'true']) === 'true',
  };
}

/** Reads the runner's environment variables. `tempDir`: folder that the runner deletes after the job. */
export function readRunner() {
  const { GITHUB_EVENT_PATH, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY, GITHUB_WORKSPACE, RUNNER_TEMP, PATH } = process.env;
  return {
    eventFile: GITHUB_EVENT_PATH,
    outputFile: GITHUB_OUTPUT,
    summaryFile: GITHUB_STEP_SUMMARY,
    workspace: GITHUB_WORKSPACE || process.cwd(),
    tempDir: RUNNER_TEMP || '/tmp',
    path: PATH ?? '',
  };
}

function readRequired(name: string): string {
  const text = read(name);
  if (!text) throw new ActionError(`The input "${name}" is missing.`);
  return text;
}

function readUrl(name: string): string {
  const url = readRequired(name);
  if (!/^https?:/.test(url) || !URL.canParse(url)) throw new ActionError(`The input "${name}" must be an https URL.`);
  return url;
}

/** Reads an input that must be one of the allowed values. Defaults to the first value. Throws ActionError. */
function readOne<Value extends string>(name: string, allowed: readonly [Value, ...Value[]]): Value {
  const text = read(name) || allowed[0];
  const value = allowed.find((one) => one === text);
  if (!value) throw new ActionError(`The input "${name}" must be one of: ${allowed.join(', ')}.`);
  return value;
}

function readCount(name: string, least: number): number | undefined {
  const text = read(name);
  if (!text) return undefined;
  if (!/^\d{1,9}$/.test(text) || Number(text) < least)
    throw new ActionError(`The input "${name}" must be a whole number from ${least}.`);
  return Number(text);
}

const readLines = (name: string) =>
  read(name)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const isFlag = (name: string) =>
  (recipeFields as Record<string, { kind: string } | undefined>)[name.replaceAll('-', '_')]?.kind === 'flag';
const names = ['scale', ...Object.keys(recipeFields)].map((name) => name.replaceAll('_', '-'));

/** Converts a line such as `scale: 4` to a command-line flag. Throws ActionError for unknown names. */
function toFlag(line: string): string[] {
  const [, given = '', value = ''] = /^([\w-]+)\s*[:=]\s*(.+)$/.exec(line) ?? [];
  const name = given === 'scale_factor' ? 'scale' : given.replaceAll('_', '-');
  if (!names.includes(name) || name === 'scale-factor')
    throw new ActionError(`The input "options" has an unknown line: "${line}". Write one "name: value" per line.`);
  if (!isFlag(name)) return [`--${name}=${value}`];
  return [value === 'true' ? `--${name}` : `--no-${name}`];
}
