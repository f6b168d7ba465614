import type { FieldFacts } from '@uprez/contracts/recipe/recipe-fields';
import { v1Options } from '@uprez/contracts/v1/fields';
import { snake } from '@uprez/contracts/v1/snake';
import { listFields } from './list-fields.ts';
import { makeComment } from './print-type.ts';

const kinds: Record<FieldFacts['kind'], (allowed: string) => string> = {
  whole: () => 'number',
  decimal: () => 'number',
  flag: () => 'boolean',
  colour: () => 'string',
  name: (allowed) =>
    allowed
      .split(', ')
      .map((name) => `'${name}'`)
      .join(' | '),
};
/** Settled by the package: how it waits, and where an image comes from. */
const own = ['async', 'imageUrl'];

const line = (name: string, says: string, type: string) => `${makeComment(says, 1)}  ${snake(name)}?: ${type};\n`;

/** The parameters of a processing call, from the table that the API reads them by. */
export function makeOptionTypes(): string {
  const fields = listFields().map(([name, { kind, allowed, says }]) =>
    line(name, kind === 'decimal' || kind === 'whole' ? `${says}: ${allowed}` : says, kinds[kind](allowed)),
  );
  const short = line('scale', 'The same as `scale_factor`.', 'number');
  const preserve = line('preserveMetadata', 'true: the same as `metadata: "all"`.', 'boolean');
  const options = Object.entries(v1Options)
    .filter(([name]) => !own.includes(name))
    .map(([name, { allowed, says }]) => line(name, says, allowed === 'true, false' ? 'boolean' : 'string'));
  return `/** What shall become of an image. */
export type RecipeOptions = {
${short}${fields.join('')}${preserve}};

/** Parameters of a processing call. */
export type ProcessOptions = RecipeOptions & {
${options.join('')}};
`;
}
