import { expect, it } from 'vitest';
import { v1Routes } from '../endpoints/routes-v1.ts';
import { type ErrorCode, errorCodes } from '../errors/error-codes.ts';
import { v1ParameterNames } from '../v1/fields.ts';
import { changelog } from './changelog.ts';
import { makeLlmsText } from './llms-text.ts';
import { makeOpenApi } from './openapi/make-open-api.ts';
import { publicErrorCodes } from './public-errors.ts';

const text = makeLlmsText('https://images.example');

it('lists every endpoint and every image option', () => {
  for (const { method, path } of Object.values(v1Routes))
    expect(text).toContain(`\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\``);
  for (const name of v1ParameterNames.filter((field) => field !== 'preserve_metadata'))
    expect(text).toContain(`- \`${name}\` (`);
});

it('links only to the given URL', () => {
  for (const [, origin] of text.matchAll(/(https?:\/\/[^/\s)`]+)/g)) expect(origin).toBe('https://images.example');
});

it('lists every error of the public API with the status of the error table, and no other', () => {
  const section = text.split('## Errors')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^- `(\w+)` \((\d+)\): (.+)$/gm)].map(([, code, status]) => [code, Number(status)]);
  expect(rows).toEqual(publicErrorCodes.map((code) => [code, errorCodes[code].status]));
});

it('has the changes of every version, and the newest one is the version of the OpenAPI document', () => {
  const rows = [...text.matchAll(/^- (\d+\.\d+\.\d+) \(([\d-]+)\)/gm)].map(([, version, date]) => [version, date]);
  expect(rows).toEqual(changelog.map(({ version, date }) => [version, date]));
  const sorted = rows.toSorted(([a = ''], [b = '']) => b.localeCompare(a, 'en', { numeric: true }));
  expect(rows).toEqual(sorted);
  expect(makeOpenApi('https://images.example').info.version).toBe(changelog[0].version);
});

it('names only errors, options, and endpoints that exist', () => {
  const changes = changelog.flatMap(({ changes: list }) => list).join(' ');
  const code = [...changes.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const known = new Set<string>(Object.keys(errorCodes) as ErrorCode[]);
  const paths = new Set(Object.values(v1Routes).map(({ path }) => path.replace(/:(\w+)/g, '{$1}')));
  const names = code.filter((name) => /^[a-z]+_[a-z_]+$/.test(name));
  const options = new Set<string>([
    ...v1ParameterNames,
    'wait_seconds',
    'min_seconds',
    'working_scale',
    'working_shares',
    'detail_megapixels',
    'masked_share',
    'free_cancel_until',
    'target_url',
    'download_url',
  ]);
  expect(names.filter((name) => !known.has(name) && !options.has(name))).toEqual([]);
  const routes = code.flatMap((name) => /(?:^|[A-Z] )(\/v1\S+)/.exec(name)?.[1] ?? []);
  expect(routes.filter((route) => !paths.has(route))).toEqual([]);
});
