import { anyCustomEngine } from '@uprez/contracts/policy/images/engines';
import { type FieldFacts, recipeFields } from '@uprez/contracts/recipe/recipe-fields';
import { toSnakeCase, v1Defaults, v1Options } from '@uprez/contracts/v1/fields';
import { customEngineType, makeComment } from './print-type.ts';

/** Lists the parameters of a recipe, with the defaults of the public API in their descriptions. */
export const listFields = (): [string, FieldFacts][] =>
  Object.entries(recipeFields).map(([name, facts]) => {
    const fallback = (v1Defaults as Record<string, unknown>)[name];
    const description = facts.description.replaceAll('`', '');
    return [
      name,
      { ...facts, description: fallback === undefined ? description : `${description} (default ${fallback})` },
    ];
  });

const kinds: Record<FieldFacts['kind'], (allowed: string) => string> = {
  whole: () => 'number',
  decimal: () => 'number',
  flag: () => 'boolean',
  color: () => 'string',
  text: () => 'string',
  name: (allowed) =>
    allowed
      .split(', ')
      .map((name) => (name === anyCustomEngine ? customEngineType : `'${name}'`))
      .join(' | '),
};
/** Set by the package itself. */
const internal = ['async', 'imageUrl'];
/** A path, or bytes. */
const fixedTypes: Record<string, string> = { mask: 'string | URL | Uint8Array' };

const line = (name: string, description: string, type: string) =>
  `${makeComment(`${description}.`, 1)}  ${toSnakeCase(name)}?: ${type};\n`;

/** Makes the types of the options of a processing request. */
export function makeOptionTypes(): string {
  const fields = listFields().map(([name, { kind, allowed, description }]) =>
    line(
      name,
      kind === 'decimal' || kind === 'whole' ? `${description}. Allowed: ${allowed}` : description,
      kinds[kind](allowed),
    ),
  );
  const short = line('scale', 'Alias of `scale_factor`', 'number');
  const preserve = line('preserveMetadata', '`true` sets `metadata` to `all`', 'boolean');
  const options = Object.entries(v1Options)
    .filter(([name]) => !internal.includes(name))
    .map(([name, { allowed, description }]) =>
      line(name, description, fixedTypes[name] ?? (allowed === 'true, false' ? 'boolean' : 'string')),
    );
  return `/** Options of a job. */
export type RecipeOptions = {
${short}${fields.join('')}${preserve}};

/** Options of a processing request. */
export type ProcessOptions = RecipeOptions & {
${options.join('')}};
`;
}
