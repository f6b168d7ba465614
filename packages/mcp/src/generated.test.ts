import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generated } from '../generate/generated.ts';

it.each(generated)('$path is up to date (run "npm run generate:mcp")', ({ path, make }) => {
  expect(readFileSync(path, 'utf8')).toBe(make());
});
