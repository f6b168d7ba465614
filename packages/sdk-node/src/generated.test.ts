import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { expect, it } from 'vitest';
import { generated } from '../generate/generated.ts';

const source = fileURLToPath(new URL('.', import.meta.url));
/** Other names of calls that the package makes, and documents for other programs. */
const leftOut = ['v1Resize', 'v1JobStatus', 'v1Bulk', 'v1BatchManifestCsv', 'v1File', 'v1OpenApi', 'v1Postman'];

it.each(generated)('$path is what the contracts say: else run "npm run generate:sdk"', ({ path, make }) => {
  expect(readFileSync(path, 'utf8')).toBe(make());
});

it('every call of the API has a method', () => {
  const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('generated') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(`${source}/${file}`, 'utf8'))
    .join('\n');
  const missing = Object.keys(v1Routes).filter((name) => !code.includes(`'${name}'`) && !leftOut.includes(name));
  expect(missing).toEqual([]);
});
