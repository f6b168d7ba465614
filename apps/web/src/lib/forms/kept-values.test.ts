import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepValues, takeValues } from './kept-values.ts';

beforeEach(() => {
  const entries = new Map<string, string>();
  vi.stubGlobal('window', { location: { pathname: '/account' } });
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => entries.set(name, value),
    removeItem: (name: string) => entries.delete(name),
  });
});
afterEach(() => void vi.unstubAllGlobals());

const defaults = { name: 'Ada', note: '', password: '', file: undefined };

it('keeps what was changed until the form opens again, without secrets and files', () => {
  keepValues('user-1', defaults, { name: 'Grace', note: '', password: 'six feet under', file: new Blob() });
  expect(takeValues('user-1', defaults)).toEqual({ name: 'Grace' });
  expect(takeValues('user-1', defaults)).toEqual({});
});

it('returns nothing to another user, and nothing to another form', () => {
  keepValues('user-1', defaults, { ...defaults, name: 'Grace' });
  expect(takeValues('user-1', { title: '' })).toEqual({});
  expect(takeValues('user-2', defaults)).toEqual({});
  expect(takeValues('user-1', defaults)).toEqual({});
});

it('works without storage', () => {
  vi.stubGlobal('sessionStorage', undefined);
  keepValues('user-1', defaults, { ...defaults, name: 'Grace' });
  expect(takeValues('user-1', defaults)).toEqual({});
});
