import ts from 'typescript';

export type JsonSchema = false | { [keyword: string]: unknown };

const decimal: JsonSchema = { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$' };

/** Payment methods whose details appear in the schemas. */
const paymentMethods = new Set(['apple_pay', 'card', 'google_pay', 'link', 'paypal']);

/** Converts types of Stripe's SDK to JSON schemas of what travels over HTTP. */
export class SchemaMaker {
  /** What the schemas refer to. */
  readonly definitions: Record<string, JsonSchema> = {};
  readonly #names = new Map<ts.Type, string>();
  readonly #checker: ts.TypeChecker;
  readonly #served: ReadonlySet<string>;

  /** Resources whose `object` is not in `served` are left out. */
  constructor(checker: ts.TypeChecker, served: ReadonlySet<string>) {
    this.#checker = checker;
    this.#served = served;
  }

  /** Returns undefined for resources that are left out. */
  schemaOf(type: ts.Type): JsonSchema | undefined {
    if (type.isUnion()) return this.#unionSchema(type.types);
    if (isOtherString(type)) return { type: 'string' };
    if (type.flags & ts.TypeFlags.Object) return this.#objectSchema(type);
    return this.#primitiveSchema(type);
  }

  /** Properties that aren't in `detailed` may have any value. */
  propertiesSchema(type: ts.Type, detailed?: ReadonlySet<PropertyKey>): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const property of this.#listProperties(type)) {
      const isDetailed = !detailed || detailed.has(property.name);
      const schema = isDetailed ? this.schemaOf(this.#checker.getTypeOfSymbol(property)) : {};
      const isOptional = Boolean(property.flags & ts.SymbolFlags.Optional);
      // A property that may be left out and only holds resources that aren't served is an unknown property.
      if (schema === undefined && isOptional) continue;
      properties[property.name] = schema ?? false;
      if (!isOptional) required.push(property.name);
    }
    const values = this.#checker.getIndexInfoOfType(type, ts.IndexKind.String);
    const additionalProperties = values ? (this.schemaOf(values.type) ?? false) : false;
    return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties };
  }

  /** Without the details of payment methods that the double doesn't know, which are most of Stripe's declarations. */
  #listProperties(type: ts.Type): ts.Symbol[] {
    const properties = this.#checker.getPropertiesOfType(type);
    if (!properties.some(({ name }) => name === 'sepa_debit')) return properties;
    const isDetail = (property: ts.Symbol) =>
      Boolean(property.flags & ts.SymbolFlags.Optional) &&
      Boolean(this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(property)).flags & ts.TypeFlags.Object);
    return properties.filter((property) => paymentMethods.has(property.name) || !isDetail(property));
  }

  #objectSchema(type: ts.Type): JsonSchema | undefined {
    if (this.#checker.isArrayType(type)) return this.#arraySchema(type);
    const object = type.getProperty('object');
    const objectType = object && this.#checker.getTypeOfSymbol(object);
    const isResource = objectType?.isStringLiteral() && objectType.value !== 'list' && type.getProperty('id');
    if (isResource && !this.#served.has(objectType.value)) return undefined;
    const name = this.#nameOf(type);
    return name ? { $ref: `stripe#/$defs/${this.#define(type, name)}` } : this.propertiesSchema(type);
  }

  #arraySchema(type: ts.Type): JsonSchema {
    const [element] = this.#checker.getTypeArguments(type as ts.TypeReference);
    const items = element && this.schemaOf(element);
    return items === undefined ? { type: 'array', maxItems: 0 } : { type: 'array', items };
  }

  #define(type: ts.Type, name: string): string {
    const known = this.#names.get(type);
    if (known) return known;
    let id = name;
    for (let copy = 2; id in this.definitions; copy += 1) id = `${name}_${copy}`;
    this.#names.set(type, id);
    // Reserves the name while the properties, which may refer back to this type, are converted.
    this.definitions[id] = false;
    this.definitions[id] = this.propertiesSchema(type);
    return id;
  }

  #unionSchema(types: readonly ts.Type[]): JsonSchema | undefined {
    const members = types.filter((type) => !(type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)));
    const literals = members.filter((type) => type.isStringLiteral());
    const booleans = members.filter((type) => type.flags & ts.TypeFlags.BooleanLiteral);
    // Stripe may add values to those that the declarations name. The double sends and accepts the named ones.
    const isOpen = (type: ts.Type) => isOtherString(type) && literals.length > 0;
    const rest = members.filter((type) => !type.isStringLiteral() && !booleans.includes(type) && !isOpen(type));
    const schemas = rest.flatMap((type) => this.schemaOf(type) ?? []);
    if (literals.length > 0) schemas.push({ enum: literals.map(({ value }) => value) });
    if (booleans.length === 2) schemas.push({ type: 'boolean' });
    else schemas.push(...booleans.flatMap((type) => this.schemaOf(type) ?? []));
    schemas.sort((one, other) => rank(one) - rank(other));
    return schemas.length > 1 ? { anyOf: schemas } : schemas[0];
  }

  #primitiveSchema(type: ts.Type): JsonSchema | undefined {
    const { flags } = type;
    if (type.isStringLiteral()) return { type: 'string', const: type.value };
    if (type.isNumberLiteral()) return { type: 'number', const: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral)
      return { type: 'boolean', const: this.#checker.typeToString(type) === 'true' };
    if (flags & ts.TypeFlags.String) return { type: 'string' };
    if (flags & ts.TypeFlags.Number) return { type: 'number' };
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    // Decimal is an intersection of its class and brands. It travels as a string.
    if (type.isIntersection() && type.types.some(({ symbol }) => symbol?.name === 'DecimalImpl')) return decimal;
    return undefined;
  }

  #nameOf(type: ts.Type): string | undefined {
    const symbol = type.aliasSymbol ?? type.symbol;
    if (!symbol || symbol.name === '__type') return undefined;
    const name = this.#checker.getFullyQualifiedName(symbol).replace(/^"[^"]*"\./, '');
    return name.replaceAll(/[^\w.]/g, '_');
  }
}

/** Values arrive as strings, and the first branch that accepts one decides what it becomes. */
const order = ['enum', 'const', 'string', 'number', 'boolean', 'null'];
function rank(schema: JsonSchema): number {
  if (schema === false) return order.length;
  const kind = 'enum' in schema ? 'enum' : 'const' in schema ? 'const' : String(schema.type);
  const position = order.indexOf(kind);
  return position < 0 ? order.length : position;
}

/** `string & Record<never, never>`: any other string than those listed. */
const isOtherString = (type: ts.Type) =>
  type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String);
