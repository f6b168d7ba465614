/** The parts of JSON Schema that our schemas become. */
export type JsonSchema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  propertyNames?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
};

/** `named`: types that have a name already, by their schema as text. `comments`: of properties, by name. */
export type Printing = { named: ReadonlyMap<string, string>; comments: ReadonlyMap<string, string> };

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

/** A schema as a TypeScript type. Throws for what our schemas do not become. */
export function printType(schema: JsonSchema, printing: Printing, depth = 0): string {
  const name = depth > 0 ? printing.named.get(JSON.stringify(schema)) : undefined;
  if (name) return name;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((inner) => printType(inner, printing, depth)).join(' | ');
  if (schema.type === 'array') return printList(printType(schema.items ?? {}, printing, depth));
  if (schema.type === 'object') return printObject(schema, printing, depth);
  if (schema.type === undefined) return 'unknown';
  if (Array.isArray(schema.type))
    return schema.type.map((type) => printType({ ...schema, type }, printing, depth)).join(' | ');
  const known = simple[schema.type];
  if (known) return known;
  throw new Error(`no type for ${JSON.stringify(schema)}`);
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));
const printList = (item: string) => (/[|{]/.test(item) ? `Array<${item}>` : `${item}[]`);

function printObject(schema: JsonSchema, printing: Printing, depth: number): string {
  const { properties, required = [], propertyNames, additionalProperties } = schema;
  if (!properties || Object.keys(properties).length === 0) {
    const key = propertyNames?.enum ? printType(propertyNames, printing, depth) : 'string';
    const value = typeof additionalProperties === 'object' ? additionalProperties : {};
    return `Record<${key}, ${printType(value, printing, depth)}>`;
  }
  const lines = Object.entries(properties).map(([name, inner]) => {
    const optional = required.includes(name) ? '' : '?';
    const type = printType(inner, printing, depth + 1);
    return `${makeComment(printing.comments.get(name), depth + 1)}${pad(depth + 1)}${name}${optional}: ${type};\n`;
  });
  return `{\n${lines.join('')}${pad(depth)}}`;
}
