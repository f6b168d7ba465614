import { recipeFields } from '@uprez/contracts/recipe/recipe-fields';
import { kebabCase } from './kebab-case.ts';

/** Flags that are not part of a recipe. */
export const ownFlags = {
  report: 'write a page (HTML) that compares both images',
  receipt: 'write how the result came about (JSON)',
  help: 'this text',
} as const;

const line = (flag: string, says: string) => `  --${flag.padEnd(14)} ${says}`;

/** What `uprez-image --help` prints: every parameter of the API, from the same table. */
export function makeUsage(): string {
  const fields = Object.entries(recipeFields)
    .filter(([name]) => name !== 'retention')
    .map(([name, { description, allowed, kind }]) => {
      const text = description.replaceAll('`', '');
      return line(kebabCase(name), kind === 'flag' ? text : `${text} (${allowed})`);
    });
  const own = Object.entries(ownFlags).map(([name, says]) => line(name, says));
  return [
    'Usage: uprez-image INPUT OUTPUT [--scale N] [options]',
    '',
    '  The format is taken from the name of OUTPUT. --scale is short for --scale-factor.',
    '',
    ...fields,
    ...own,
    '',
  ].join('\n');
}
