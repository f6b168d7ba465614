import { afterEach, expect, it, vi } from 'vitest';
import { forgetAll, forgetHere, onForget } from './forget.ts';

/** Names are own properties, as in a browser. */
const storageOf = (names: string[]) =>
  Object.defineProperty(Object.fromEntries(names.map((name) => [name, '1'])), 'removeItem', {
    value(this: Record<string, string>, name: string) {
      delete this[name];
    },
  });

afterEach(() => void vi.unstubAllGlobals());

it('forgets everything of this site but how it looks, after the parts have forgotten', async () => {
  const local = storageOf(['uprez.theme', 'uprez.settings', 'uprez.bulk.7', 'other']);
  const session = storageOf(['uprez.image', 'uprez.job']);
  vi.stubGlobal('localStorage', local);
  vi.stubGlobal('sessionStorage', session);
  // A part that puts its defaults away.
  onForget(() => Object.assign(local, { 'uprez.settings': 'default' }));
  await forgetAll();
  expect([Object.keys(local), Object.keys(session)]).toEqual([['uprez.theme', 'other'], []]);
});

it('leaves to the other tabs what is theirs, and fails nowhere without storage', () => {
  const local = storageOf(['uprez.bulk.7']);
  vi.stubGlobal('localStorage', local);
  vi.stubGlobal('sessionStorage', undefined);
  forgetHere();
  expect(Object.keys(local)).toContain('uprez.bulk.7');
});
