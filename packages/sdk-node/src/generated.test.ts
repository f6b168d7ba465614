import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { expect, it } from 'vitest';
import { generated } from '../generate/generated.ts';

const source = fileURLToPath(new URL('.', import.meta.url));
/** Aliases of endpoints, documents for other programs, and URLs that browsers request. */
const excluded = [
  'v1Resize',
  'v1JobStatus',
  'v1Bulk',
  'v1BatchManifestCsv',
  'v1File',
  'v1JobReceipt',
  'v1Image',
  'v1OpenApi',
  'v1Postman',
];

it.each(generated)('$path is up to date (run "npm run generate:sdk")', ({ path, make }) => {
  expect(readFileSync(path, 'utf8')).toBe(make());
});

it('has a method for every endpoint of the API', () => {
  const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('generated') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(`${source}/${file}`, 'utf8'))
    .join('\n');
  const missing = Object.keys(v1Routes).filter((name) => !code.includes(`'${name}'`) && !excluded.includes(name));
  expect(missing).toEqual([]);
});
