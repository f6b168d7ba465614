import { recipeFields } from '@uprez/sdk-node/facts';
import { CliError } from './cli-error.ts';

type ImageSize = { kind: string; allowed: string; description: string };
const fields: Record<string, ImageSize> = { scale: { ...recipeFields.scale_factor }, ...recipeFields };

export const kebabCase = (name: string): string => name.replaceAll('_', '-');

/** Image options by their flag. */
export const recipeFlags = new Map(
  Object.entries(fields)
    .filter(([name]) => name !== 'scale_factor')
    .map(([name, facts]) => [kebabCase(name), { name, ...facts }]),
);

const isNumber = (text: string) => /^\d+(\.\d+)?$/.test(text);

/** Validates and normalizes the value of a flag. Throws CliError. */
export function checkValue(flag: string, text: string): string {
  const { kind, allowed } = recipeFlags.get(flag) ?? { kind: '', allowed: '' };
  const isValid =
    kind === 'name'
      ? [...allowed.split(', '), 'jpg', 'tif'].includes(text.toLowerCase())
      : kind === 'color' || kind === 'flag' || isNumber(text);
  if (!isValid) throw new CliError(`--${flag} must be ${kind === 'name' ? 'one of: ' : ''}${allowed}.`);
  return text.toLowerCase();
}
