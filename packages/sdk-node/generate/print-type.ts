import { customEnginePattern } from '@uprez/contracts/policy/images/engines';

/** The subset of JSON Schema that zod generates from our schemas. */
export type JsonSchema = {
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  propertyNames?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
};

/** Type names by the `identify` key of their schemas. */
export type Named = ReadonlyMap<string, string>;
/** Returns a key that is equal for schemas of the same shape. */
export const identify = ({ description: _, ...schema }: JsonSchema): string => JSON.stringify(schema);

const pad = (depth: number) => '  '.repeat(depth);
const simple: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

export const makeComment = (text: string | undefined, depth: number) =>
  text === undefined ? '' : `${pad(depth)}/** ${text} */\n`;

/** Converts a schema to a TypeScript type. Throws for unsupported schemas. */
export function printType(schema: JsonSchema, named: Named, depth = 0): string {
  const name = depth > 0 ? named.get(identify(schema)) : undefined;
  if (name) return name;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map((inner) => printType(inner, named, depth)).join(' | ');
  if (schema.type === 'array') return printList(printType(schema.items ?? {}, named, depth));
  if (schema.type === 'object') return printObject(schema, named, depth);
  if (schema.type === undefined) return 'unknown';
  if (Array.isArray(schema.type))
    return schema.type.map((type) => printType({ ...schema, type }, named, depth)).join(' | ');
  if (schema.pattern === customEnginePattern.source) return customEngineType;
  const known = simple[schema.type];
  if (known) return known;
  throw new Error(`no type for ${JSON.stringify(schema)}`);
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: The generated source contains a template literal type.
export const customEngineType = '`custom:${string}`';

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));
const printList = (item: string) => (/[|{]/.test(item) ? `Array<${item}>` : `${item}[]`);

function printObject(schema: JsonSchema, named: Named, depth: number): string {
  const { properties, required = [], propertyNames, additionalProperties } = schema;
  if (!properties || Object.keys(properties).length === 0) {
    const key = propertyNames?.enum ? printType(propertyNames, named, depth) : 'string';
    const value = typeof additionalProperties === 'object' ? additionalProperties : {};
    return `Record<${key}, ${printType(value, named, depth)}>`;
  }
  const lines = Object.entries(properties).map(([name, inner]) => {
    const optional = required.includes(name) ? '' : '?';
    const type = printType(inner, named, depth + 1);
    return `${makeComment(inner.description, depth + 1)}${pad(depth + 1)}${name}${optional}: ${type};\n`;
  });
  return `{\n${lines.join('')}${pad(depth)}}`;
}
