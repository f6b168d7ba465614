import { AppError } from '@uprez/contracts/errors/app-error';
import { camelCase } from '@uprez/contracts/recipe/parse-recipe';
import { snake } from '@uprez/contracts/v1/snake';

/** What a schema found wrong, as zod tells it. */
type Issue = {
  code?: string | undefined;
  path?: readonly PropertyKey[];
  message?: string | undefined;
  origin?: unknown;
  maximum?: unknown;
  minimum?: unknown;
  values?: unknown;
  expected?: unknown;
  format?: unknown;
  errors?: unknown;
  keys?: unknown;
};

const units: Record<string, string> = { string: ' characters', array: ' entries' };
const types: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const formats: Record<string, string> = {
  datetime: 'a time like 2026-01-31T12:00:00Z',
  uuid: 'a UUID',
  guid: 'a UUID',
};

/** What the value may be, as far as the issue tells it: a sentence's end, or a list. */
function allowedBy(issue: Issue): unknown {
  const unit = units[String(issue.origin)] ?? '';
  if (issue.code === 'too_big') return `at most ${issue.maximum}${unit}`;
  if (issue.code === 'too_small') return `at least ${issue.minimum}${unit}`;
  if (issue.code === 'invalid_value') return issue.values;
  if (issue.code === 'invalid_type') return types[String(issue.expected)];
  if (issue.code === 'invalid_format') return formats[String(issue.format)];
  if (issue.code !== 'invalid_union' || !Array.isArray(issue.errors)) return undefined;
  const either = issue.errors.map(([first]: Issue[]) => first && allowedBy(first)).filter(Boolean);
  return either.length > 0 ? either.join(', or ') : undefined;
}

/** What was sent at a place, whichever way its names are spelled. */
const valueAt = (sent: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => {
    if (value === null || typeof value !== 'object') return undefined;
    return Object.entries(value).find(([name]) => camelCase(name) === camelCase(String(part)))?.[1];
  }, sent);

/** A value as text, for who sent it; nothing for none. */
export function textOf(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 1) return `${value.length} entries`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Names inside a recipe are the caller's own. */
const spell = (path: readonly PropertyKey[]): string =>
  path.map((part, at) => (path[0] === 'recipe' && at > 0 ? String(part) : snake(String(part)))).join('.');

/** How the validator begins where a schema has no sentence of its own: machine text, which is for nobody. */
const machineText = /^(Invalid |Too (big|small):|Unrecognized key)/;
const camelWord = /\b[a-z]+(?:[A-Z][a-z]+)+\b/g;

export const isMachineText = (message = ''): boolean => message === '' || machineText.test(message);

/** A sentence of what a value must be. */
export function mustBe(param: string, allowed: unknown): string {
  if (allowed === undefined) return `"${param}" is invalid.`;
  return `"${param}" must be ${Array.isArray(allowed) ? `one of ${allowed.join(', ')}` : allowed}.`;
}

/** The refusal of what a schema found wrong in what was `sent`, in the words of the public API. */
export function describeIssue(issue: Issue, sent: unknown): AppError {
  const { path = [], message = '' } = issue;
  if (issue.code === 'unrecognized_keys' && Array.isArray(issue.keys)) {
    const param = spell([...path, String(issue.keys[0]).slice(0, 40)]).slice(0, 100);
    return new AppError('invalid_parameter', { detail: `Unknown parameter "${param}".`, param });
  }
  const param = spell(path).slice(0, 100) || 'body';
  const allowed = allowedBy(issue);
  const detail = isMachineText(message) ? mustBe(param, allowed) : message.replace(camelWord, (word) => snake(word));
  return new AppError('invalid_parameter', { detail, param, allowed, got: textOf(valueAt(sent, path)) });
}
