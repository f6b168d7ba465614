import { expect, it } from 'vitest';
import { toNextPath } from './next-path.ts';

it.each(['/', '/dashboard', '/dashboard?tab=keys#top', '/a%20b'])('keeps %s', (path) =>
  expect(toNextPath(path)).toBe(path),
);

it.each([
  null,
  '',
  'dashboard',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/..//evil.example',
  'javascript:alert(1)',
  '/auth?next=/auth',
  '/api/login',
  '/v1',
])('returns / for %j', (path) => expect(toNextPath(path)).toBe('/'));
