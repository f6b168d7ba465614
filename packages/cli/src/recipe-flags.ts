import { recipeFields } from '@uprez/sdk-node/facts';
import { CliError } from './cli-error.ts';

type Facts = { kind: string; allowed: string; description: string };
const fields: Record<string, Facts> = { scale: { ...recipeFields.scale_factor }, ...recipeFields };

export const kebabCase = (name: string): string => name.replaceAll('_', '-');

/** Parameters of the API as flags: name of the flag -> name of the parameter and what it is. */
export const recipeFlags = new Map(
  Object.entries(fields)
    .filter(([name]) => name !== 'scale_factor')
    .map(([name, facts]) => [kebabCase(name), { name, ...facts }]),
);

const isNumber = (text: string) => /^\d+(\.\d+)?$/.test(text);

/** Say at once what the service would refuse for every image. Throws CliError. */
export function checkValue(flag: string, text: string): string {
  const { kind, allowed } = recipeFlags.get(flag) ?? { kind: '', allowed: '' };
  const isFine =
    kind === 'name'
      ? [...allowed.split(', '), 'jpg', 'tif'].includes(text.toLowerCase())
      : kind === 'color' || kind === 'flag' || isNumber(text);
  if (!isFine) throw new CliError(`--${flag} must be ${kind === 'name' ? 'one of: ' : ''}${allowed}.`);
  return text.toLowerCase();
}
