import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { EventShapes, ParamShapes, ReplyShapes } from './shapes.ts';
import type { StoredEvent } from './state/tables.ts';
import { InvalidParamsError, type StripeErrorBody } from './stripe-error.ts';
import type { Wire } from './wire.ts';

type Shapes = ParamShapes & ReplyShapes & EventShapes;
type Name = keyof Shapes;

interface SchemaFile {
  source: { sdk: string; hash: string };
  roots: Record<Name, object>;
  $defs: Record<string, object | false>;
}

/** Written by `npm run generate:stripe`. */
const file = new URL('../../stripe-schemas.json', import.meta.url);

export type Schemas = ReturnType<typeof readSchemas>;

let opened: Schemas | undefined;

/** Returns the schemas of Stripe's requests, replies, and events. They are read once, and each is compiled at its first use. */
export const openSchemas = (): Schemas => (opened ??= readSchemas());

/** The generator has written the schemas, and they are used for small objects: checking or optimizing them costs seconds. */
const options = { strict: false, validateSchema: false, code: { optimize: false } } as const;

function readSchemas() {
  const { roots, $defs }: SchemaFile = JSON.parse(readFileSync(file, 'utf8'));
  // Values of a form are strings. Ajv converts them to the types of the parameters, in place.
  const params = makeValidator(new Ajv({ ...options, allErrors: true, coerceTypes: true }), { roots, $defs });
  const replies = makeValidator(new Ajv(options), { roots, $defs });
  return {
    /** Returns the parameters with their types. Throws Stripe's error if they aren't valid. */
    parseParams: <N extends keyof ParamShapes>(name: N, input: unknown): Wire<ParamShapes[N]> => {
      const validate = params<N>(name);
      if (validate(input)) return input;
      throw describeInvalidParams(validate.errors ?? [], input);
    },
    /** Throws an error that names the differences from the SDK's declarations, which is a bug of the double. */
    checkReply: (name: keyof ReplyShapes, value: unknown) => {
      // Events were checked when they happened. Their union would compile the schemas of all types.
      if (name === 'Event' || name === 'EventList') return;
      const validate = replies(name);
      if (!validate(value)) throw differs(name, validate.errors);
    },
    /** Returns the event with its type. Throws an error as `checkReply` does. */
    parseEvent: (type: keyof EventShapes, value: unknown): StoredEvent => {
      const validate = replies(type);
      if (validate(value)) return value;
      throw differs(type, validate.errors);
    },
  };
}

/** Returns a function that compiles the validator of a shape, or returns the one compiled before. */
function makeValidator(ajv: Ajv, { roots, $defs }: Pick<SchemaFile, 'roots' | '$defs'>) {
  ajv.addSchema({ $id: 'stripe', $defs });
  for (const [name, schema] of Object.entries(roots)) ajv.addSchema(schema, name);
  return <N extends Name>(name: N): ValidateFunction<Wire<Shapes[N]>> => {
    const validate = ajv.getSchema<Wire<Shapes[N]>>(name);
    if (!validate) throw new Error(`stripe-schemas.json has no ${name}: run npm run generate:stripe`);
    // Only schemas with $async return promises.
    return validate as ValidateFunction<Wire<Shapes[N]>>;
  };
}

const differs = (name: Name, errors: ErrorObject[] | null | undefined) =>
  new Error(`the double's ${name} differs from the SDK: ${describe(errors)}`);

const describe = (errors: ErrorObject[] | null | undefined) =>
  (errors ?? [])
    .slice(0, 5)
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    .join('; ');

/**
 * Converts the errors of the validator to Stripe's error about one parameter. Unknown parameters come first, then missing
 * ones. Among the others the deepest counts: a value that fits no branch of a union has an error for each branch.
 */
function describeInvalidParams(errors: readonly ErrorObject[], input: unknown): InvalidParamsError {
  const [error] = [...errors].sort((one, other) => rank(one) - rank(other) || depth(other) - depth(one));
  const body = error ? describeInvalid(error, input) : { message: 'Invalid parameters' };
  return new InvalidParamsError(400, { type: 'invalid_request_error', ...body });
}

const ranks = ['additionalProperties', 'required', 'enum', 'const', 'type'];
const rank = ({ keyword }: ErrorObject) => (ranks.includes(keyword) ? ranks.indexOf(keyword) : ranks.length);
const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length;

function describeInvalid(error: ErrorObject, input: unknown): Omit<StripeErrorBody, 'type'> {
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
