/** The type of a camelCase name as the public API spells it. */
export type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : Name;

/** A camelCase name as the public API spells it; what is none stays as it is. */
export const snake = <Name extends string>(name: Name): Snake<Name> =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as Snake<Name>;
