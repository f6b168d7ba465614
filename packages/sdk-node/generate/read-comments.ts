import { readFileSync } from 'node:fs';
import { snake } from '@uprez/contracts/snake';

/**
 * What a schema's source says of its properties, by their snake_case names: one-line docstrings only. `source`: its file in
 * the contracts and its name there.
 */
export function readComments(source: string): Map<string, string> {
  const [file, name] = source.split(' ');
  const text = readFileSync(new URL(`../../contracts/src/${file}.ts`, import.meta.url), 'utf8');
  const own = text.split(/^(?:export )?const /m).find((part) => part.startsWith(`${name} `)) ?? '';
  const found = own.matchAll(/\/\*\* (.+) \*\/\s*\n\s*(\w+):/g);
  return new Map([...found].map(([, says = '', property = '']) => [snake(property), says]));
}
