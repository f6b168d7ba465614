import type { ErrorObject } from 'ajv';
import { InvalidParamsError, type StripeErrorBody } from '../stripe-error.ts';

/**
 * Converts the errors of the validator to Stripe's error about one parameter. Unknown parameters come first, then missing
 * ones. Among the others the deepest counts: a value that fits no branch of a union has an error for each branch.
 */
export function describeInvalidParams(errors: readonly ErrorObject[], input: unknown): InvalidParamsError {
  const [error] = [...errors].sort((one, other) => rank(one) - rank(other) || depth(other) - depth(one));
  const body = error ? describe(error, input) : { message: 'Invalid parameters' };
  return new InvalidParamsError(400, { type: 'invalid_request_error', ...body });
}

const ranks = ['additionalProperties', 'required', 'enum', 'const', 'type'];
const rank = ({ keyword }: ErrorObject) => (ranks.includes(keyword) ? ranks.indexOf(keyword) : ranks.length);
const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length;

function describe(error: ErrorObject, input: unknown): Omit<StripeErrorBody, 'type'> {
  const path = error.instancePath.split('/').slice(1);
  if (error.keyword === 'additionalProperties') {
    const param = formName([...path, String(error.params.additionalProperty)]);
    return { code: 'parameter_unknown', param, message: `Received unknown parameter: ${param}` };
  }
  if (error.keyword === 'required') {
    const param = formName([...path, String(error.params.missingProperty)]);
    return { code: 'parameter_missing', param, message: `Missing required param: ${param}.` };
  }
  return describeValue(error, { param: formName(path), value: valueAt(input, path) });
}

function describeValue({ keyword, params }: ErrorObject, { param, value }: { param: string; value: unknown }) {
  const isText = typeof value === 'string';
  if (isText && value === '')
    return { code: 'parameter_invalid_empty', param, message: `You passed an empty string for '${param}'.` };
  if (isText && keyword === 'enum') {
    const allowed = params.allowedValues.filter(Boolean).join(', ');
    return { param, message: `Invalid ${param}: must be one of ${allowed}` };
  }
  if (isText && params.type === 'number')
    return { code: 'parameter_invalid_integer', param, message: `Invalid integer: ${value}` };
  if (isText && params.type === 'boolean') return { param, message: `Invalid boolean: ${value}` };
  return { param, message: `Invalid ${param}` };
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  let value = input;
  for (const key of path) value = typeof value === 'object' && value ? Reflect.get(value, key) : undefined;
  return value;
}

/** `items`, `0`, `price` -> `items[0][price]`. */
const formName = ([first = '', ...rest]: readonly string[]) => first + rest.map((key) => `[${key}]`).join('');
