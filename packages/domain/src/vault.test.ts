import { expect, it } from 'vitest';
import { openVault } from './vault.ts';

const vault = openVault('a vault secret of these tests, long enough');

it('unseals what it sealed, and seals it differently each time', () => {
  const sealed = vault.seal('smtp passwörd', 'smtp');
  expect(vault.unseal(sealed, 'smtp')).toBe('smtp passwörd');
  expect(vault.seal('smtp passwörd', 'smtp')).not.toBe(sealed);
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('smtp');
});

it('unseals and verifies with former secrets, and uses the current one for everything new', () => {
  const secrets = ['the new vault secret of these tests', 'the old vault secret of these tests'] as const;
  const [fresh, old, both] = [openVault(secrets[0]), openVault(secrets[1]), openVault(...secrets)];
  const sealed = old.seal('text', 'smtp');
  expect(both.unseal(sealed, 'smtp')).toBe('text');
  expect(fresh.unseal(both.seal('text', 'smtp'), 'smtp')).toBe('text');
  const resealed = both.reseal(sealed, 'smtp') ?? '';
  expect(fresh.unseal(resealed, 'smtp')).toBe('text');
  expect(both.reseal(resealed, 'smtp')).toBeUndefined();
  expect(() => both.reseal(openVault('a secret of nobody, long enough').seal('text', 'smtp'), 'smtp')).toThrow();
  expect(both.sign('text', 'link')).toEqual(fresh.sign('text', 'link'));
  expect(both.signatures('text', 'link')).toEqual([fresh.sign('text', 'link'), old.sign('text', 'link')]);
});

it('unseals only with the same key and purpose, and rejects changed bytes', () => {
  const sealed = vault.seal('text', 'two-factor:1');
  expect(() => vault.unseal(sealed, 'two-factor:2')).toThrow();
  expect(() => openVault('another secret, long enough as well, yes').unseal(sealed, 'two-factor:1')).toThrow();
  const bytes = Buffer.from(sealed, 'base64url');
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => vault.unseal(changed.toString('base64url'), 'two-factor:1')).toThrow();
  }
});
