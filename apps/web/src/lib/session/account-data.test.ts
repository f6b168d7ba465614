import { afterEach, expect, it, vi } from 'vitest';
import { clearAccountData, clearTabData, onClear } from './account-data.ts';

/** Names are own properties, as in a browser. */
const storageOf = (names: string[]) =>
  Object.defineProperty(Object.fromEntries(names.map((name) => [name, '1'])), 'removeItem', {
    value(this: Record<string, string>, name: string) {
      delete this[name];
    },
  });

afterEach(() => void vi.unstubAllGlobals());

it('clears all entries of the site except the theme, after the listeners', async () => {
  const local = storageOf(['uprez.theme', 'uprez.settings', 'uprez.bulk.7', 'other']);
  const session = storageOf(['uprez.image', 'uprez.job']);
  vi.stubGlobal('localStorage', local);
  vi.stubGlobal('sessionStorage', session);
  // A listener that resets a persisted store writes to the storage.
  onClear(() => Object.assign(local, { 'uprez.settings': 'default' }));
  await clearAccountData();
  expect([Object.keys(local), Object.keys(session)]).toEqual([['uprez.theme', 'other'], []]);
});

it('clears only this tab, and does not fail without storage', () => {
  const local = storageOf(['uprez.bulk.7']);
  vi.stubGlobal('localStorage', local);
  vi.stubGlobal('sessionStorage', undefined);
  clearTabData();
  expect(Object.keys(local)).toContain('uprez.bulk.7');
});
