import type { JsonSchema } from '@uprez/contracts/docs/openapi/open-api';
import fc from 'fast-check';

export type Resolve = (schema: JsonSchema) => JsonSchema;

/** Generates the limits and other values of a range. */
function numberIn({ minimum, maximum, exclusiveMinimum, type }: JsonSchema): fc.Arbitrary<number> {
  const isWhole = type === 'integer';
  const low = (minimum as number | undefined) ?? (exclusiveMinimum === undefined ? 0 : Number(exclusiveMinimum) + 1);
  const high = (maximum as number | undefined) ?? 1_000_000;
  const any = isWhole
    ? fc.integer({ min: Math.ceil(low), max: Math.min(high, 2 ** 31 - 1) })
    : fc.double({ min: low, max: high, noNaN: true }).map((value) => Math.max(low, Number(value.toFixed(3))));
  const small = fc.integer({ min: Math.ceil(low), max: Math.ceil(Math.min(high, low + 8)) });
  return fc.oneof({ weight: 4, arbitrary: small }, any, fc.constantFrom(low, high));
}

const text = ({ minLength = 0, maxLength = 60 }: { minLength?: number; maxLength?: number }) =>
  fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 60) });

const formats: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  'date-time': fc
    .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  uri: fc.constantFrom('https://images.example/a.png', 'https://images.example/gone', 'https://hooks.example/in'),
  base64: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64')),
};

function stringOf(schema: JsonSchema): fc.Arbitrary<string> {
  const known = formats[String(schema.format)];
  if (known) return known;
  if (typeof schema.pattern !== 'string') return text(schema);
  const pattern = new RegExp(schema.pattern, 'u');
  return pattern.source.includes('\\p')
    ? text(schema).filter((value) => pattern.test(value))
    : fc.stringMatching(pattern);
}

/** Generates values that match a schema of an OpenAPI document. */
export function valueFor(given: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (choices) return fc.oneof(...choices.map((choice) => valueFor(choice, resolve)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: unknown) => valueFor({ ...schema, type }, resolve)));
  switch (schema.type) {
    case 'string':
      return stringOf(schema);
    case 'integer':
    case 'number':
      return numberIn(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return listOf(schema, resolve);
    case 'object':
      return objectOf(schema, resolve);
    default:
      return fc.jsonValue();
  }
}

function listOf(schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown[]> {
  const {
    minItems = 0,
    maxItems = 5,
    items = {},
  } = schema as { minItems?: number; maxItems?: number; items?: JsonSchema };
  return fc.array(valueFor(items, resolve), {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, 4)),
  });
}

/** Generates the required and some optional properties, each under any of its aliases. */
export function objectOf(given: JsonSchema, resolve: Resolve): fc.Arbitrary<Record<string, unknown>> {
  const schema = resolve(given);
  const { properties = {}, required = [] } = schema as { properties?: Record<string, JsonSchema>; required?: string[] };
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return fc.subarray(optional, { maxLength: Math.min(3, optional.length) }).chain((chosen) =>
    fc
      .tuple(
        ...[...required, ...chosen].map((name) => {
          const property = resolve(properties[name] ?? {});
          const names = chosen.includes(name)
            ? [name, ...((property['x-aliases'] as string[] | undefined) ?? [])]
            : [name];
          return fc.tuple(fc.constantFrom(...names), valueFor(property, resolve));
        }),
      )
      .map((pairs) => Object.fromEntries(pairs)),
  );
}
