type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : Name;

/** Converts camelCase to snake_case. */
export const snake = <Name extends string>(name: Name): Snake<Name> =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as Snake<Name>;

/** Public names of fields that aren't their names in snake_case. */
const publicNames: Record<string, string> = { maxFactor: 'max_scale' };

/** Returns the name of a field in the public API. */
export const publicName = (name: string): string => publicNames[name] ?? snake(name);

type PublicName<Name extends string> = Name extends 'maxFactor' ? 'max_scale' : Snake<Name>;

/** The type of a value with the field names of the public API. */
export type Snaked<T> = T extends readonly (infer Item)[]
  ? Snaked<Item>[]
  : T extends object
    ? { [Name in keyof T as Name extends string ? PublicName<Name> : Name]: Snaked<T[Name]> }
    : T;
