import { describe, expect, it } from 'vitest';
import { checkKey, checkPrefix, objectKeys } from './object-keys.ts';

const id = '0190d5e4-7b1a-7c3e-9f00-1234567890ab';

describe('object keys', () => {
  it('consist of IDs', () => {
    expect(objectKeys.upload(id)).toBe(`uploads/${id}`);
    expect(objectKeys.result(id, 2)).toBe(`results/${id}/2`);
    expect(objectKeys.thumbnail(id, 1)).toBe(`thumbnails/${id}/1`);
    expect(objectKeys.export(id, 1)).toBe(`exports/${id}/1`);
  });

  it.each(['../../etc/passwd', 'a/../b', 'A', 'a.png', 'a\0', 'a\\b', 'a b', '%2e%2e', '', 'x'.repeat(201)])(
    'reject the invalid ID %j',
    (text) => {
      expect(() => objectKeys.upload(text)).toThrow('Not an object key');
      expect(() => checkKey(`/${text}`)).toThrow('Not an object key');
    },
  );

  it('accept only prefixes of keys', () => {
    for (const prefix of ['', 'uploads/', 'results/ab', `results/${id}/`]) expect(checkPrefix(prefix)).toBe(prefix);
    for (const prefix of ['/', '..', 'uploads//', './', 'a.b']) {
      expect(() => checkPrefix(prefix)).toThrow('Not a key prefix');
    }
  });
});
