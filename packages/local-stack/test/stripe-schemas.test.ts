import { readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeSource } from '../generate/schema-source.ts';

const file = new URL('../stripe-schemas.json', import.meta.url);

it('has schemas of the installed SDK and of the calls in shapes.ts', () => {
  const { source } = JSON.parse(readFileSync(file, 'utf8'));
  expect(source, 'run npm run generate:stripe').toEqual(makeSource());
});

it('has schemas of less than 1 MB', () => {
  expect(statSync(file).size).toBeLessThan(1024 * 1024);
});
