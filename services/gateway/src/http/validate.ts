import { AppError } from '@uprez/contracts/errors/app-error';
import type { LimitName } from '@uprez/contracts/policy/limit-names';
import { toCamelCase } from '@uprez/contracts/recipe/parse-recipe';
import { pluralize } from '@uprez/contracts/texts/format';
import { toSnakeCase } from '@uprez/contracts/v1/fields';
import type { FastifySchemaCompiler } from 'fastify';
import type * as z from 'zod';

/** Empty unless the schema defines one, because zod's messages are for developers. */
const ownMessages = { error: () => '' };

export class SchemaError extends Error {
  readonly issue: z.core.$ZodIssue | undefined;
  /** Set by Fastify to the invalid part of the request, such as `body`. */
  validationContext?: string;

  constructor({ issues }: z.ZodError) {
    super('The request is invalid.');
    this.issue = issues[0];
  }
}

/** Parses a value. Null fields are treated as unset if the schema doesn't allow null. */
export function parseNullAsUnset<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const parsed = schema.safeParse(data, ownMessages);
  if (parsed.success) return parsed;
  const unset = parsed.error.issues.reduce((value, { path }) => withoutNull(value, path), data);
  return unset === data ? parsed : parseNullAsUnset(schema, unset);
}

/** Returns a copy without the field at the path if that field is null. Otherwise, returns the value itself. */
function withoutNull(value: unknown, [name, ...rest]: readonly PropertyKey[]): unknown {
  if (name === undefined || value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return value;
  const inner = (value as Record<PropertyKey, unknown>)[name];
  if (rest.length === 0 && inner === null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
  const changed = withoutNull(inner, rest);
  if (changed === inner) return value;
  return Array.isArray(value)
    ? value.with(Number(name), changed)
    : Object.fromEntries(Object.entries(value).map(([other, old]) => [other, other === name ? changed : old]));
}

/**
 * Validates parts of requests with the contract's schemas. Null fields are treated as unset, because clients in typed
 * languages send all fields.
 */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data) => {
    const parsed = parseNullAsUnset(schema, data);
    return parsed.success ? { value: parsed.data } : { error: new SchemaError(parsed.error) };
  };

/** `message`: empty unless the schema defines one. */
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
  divisor?: unknown;
  errors?: unknown;
  keys?: unknown;
};

const units: Record<string, [singular: string, plural: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};
const types: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};
const formats: Record<string, string> = {
  datetime: 'a time such as 2026-01-31T12:00:00Z',
  uuid: 'a UUID',
  guid: 'a UUID',
  date: 'a date such as 2026-01-31',
  email: 'an email address',
  url: 'a URL',
};

/** Formats a bound as `5 characters`, or as the number alone for numeric values. */
function formatBound(bound: unknown, origin: unknown): string {
  const unit = units[String(origin)];
  return unit ? pluralize(Number(bound), ...unit) : String(bound);
}

/**
 * Returns the allowed values as a list or as the end of a sentence. Returns undefined if they can't be derived from the
 * issue.
 */
export function allowedValuesOf(issue: Issue): unknown {
  if (issue.code === 'too_big') return `at most ${formatBound(issue.maximum, issue.origin)}`;
  if (issue.code === 'too_small') return `at least ${formatBound(issue.minimum, issue.origin)}`;
  if (issue.code === 'not_multiple_of') return `a multiple of ${issue.divisor}`;
  if (issue.code === 'invalid_value') return issue.values;
  if (issue.code === 'invalid_type') return types[String(issue.expected)];
  if (issue.code === 'invalid_format') return formats[String(issue.format)];
  if (issue.code !== 'invalid_union' || !Array.isArray(issue.errors)) return undefined;
  const either = issue.errors.map(([first]: Issue[]) => first && allowedValuesOf(first)).filter(Boolean);
  return either.length > 0 ? either.join(', or ') : undefined;
}

/** Returns the value at a path, regardless of the case style of its names. */
const valueAt = (sent: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => {
    if (value === null || typeof value !== 'object') return undefined;
    return Object.entries(value).find(([name]) => toCamelCase(name) === toCamelCase(String(part)))?.[1];
  }, sent);

/** Maximum length of a list in an error, in characters. */
const maxListLength = 100;

/**
 * Formats a value that the client sent, or returns undefined if it is missing. Replaces a long list with its length.
 */
export function formatSentValue(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 1) {
    const text = JSON.stringify(value);
    return text.length <= maxListLength ? text : `${value.length} entries`;
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Formats a path in snake_case. Names inside a recipe stay as the client sent them. */
const formatPath = (path: readonly PropertyKey[]): string =>
  path.map((part, at) => (path[0] === 'recipe' && at > 0 ? String(part) : toSnakeCase(String(part)))).join('.');

const camelWordPattern = /\b[a-z]+(?:[A-Z][a-z]+)+\b/g;

/** Returns a sentence with the values that a parameter allows. */
export function describeAllowedValues(param: string, allowed: unknown): string {
  if (allowed === undefined) return `"${param}" is invalid.`;
  if (!Array.isArray(allowed)) return `"${param}" must be ${allowed}.`;
  return `"${param}" must be ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}.`;
}

/** Returns the limit that an issue exceeds. Only batches have a field named `items`. */
export const limitOfIssue = ({ code, path = [] }: Issue): LimitName | undefined =>
  code === 'too_big' && path.length === 1 && path[0] === 'items' ? 'batch_size' : undefined;

/** Returns the error for a single-value query parameter that was sent more than once, or undefined for other issues. */
export function findRepeatError({ code, path = [] }: Issue, query: unknown): AppError | undefined {
  const hasOneValue = code === 'invalid_type' || code === 'invalid_value';
  if (!hasOneValue || path.length !== 1 || !Array.isArray(valueAt(query, path))) return undefined;
  const param = formatPath(path);
  return new AppError('invalid_parameter', { detail: `"${param}" was sent more than once.`, param });
}

/** Returns the error for an issue in `sent`, with the names of the public API. */
export function describeIssue(issue: Issue, sent: unknown): AppError {
  const { path = [], message = '' } = issue;
  if (issue.code === 'unrecognized_keys' && Array.isArray(issue.keys)) {
    const param = formatPath([...path, String(issue.keys[0]).slice(0, 40)]).slice(0, 100);
    return new AppError('invalid_parameter', { detail: `Unknown parameter "${param}".`, param });
  }
  const param = formatPath(path).slice(0, 100) || 'body';
  const allowed = allowedValuesOf(issue);
  const detail = message
    ? message.replace(camelWordPattern, (word) => toSnakeCase(word))
    : describeAllowedValues(param, allowed);
  const got = formatSentValue(valueAt(sent, path));
  return new AppError('invalid_parameter', { detail, param, allowed, got, limitName: limitOfIssue(issue) });
}
