import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { createKeySecret, isKeySecret, previewKeySecret } from './key-secret.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('consists of its kind, 30 random characters, and a checksum', () => {
  for (const kind of ['live', 'test', 'service'] as const) {
    const secret = createKeySecret(kind);
    expect(secret).toMatch(new RegExp(`^upz_${kind}_[0-9A-Za-z]{36}$`));
    const checksum = [...secret.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(checksum).toBe(crc32(secret.slice(0, -6)));
    expect(isKeySecret(secret)).toBe(true);
  }
});

test('pads a checksum with few digits', () => {
  const padded = Array.from({ length: 200 }, () => createKeySecret('live')).filter((secret) =>
    /^[01]/.test(secret.slice(-6)),
  );
  expect(padded.length).toBeGreaterThan(0);
  for (const secret of padded) expect(isKeySecret(secret)).toBe(true);
});

test('rejects a secret with any changed character', () => {
  const secret = createKeySecret('live');
  for (let at = 0; at < secret.length; at++)
    expect(isKeySecret(secret.slice(0, at) + (secret[at] === 'x' ? 'y' : 'x') + secret.slice(at + 1))).toBe(false);
  for (const other of ['', `${secret} `, `${secret}0`, secret.slice(1), secret.toUpperCase(), `${secret}\n`])
    expect(isKeySecret(other)).toBe(false);
});

test('uses all digits with equal probability', () => {
  const counts = new Map<string, number>();
  const drawn = 2_000 * 30;
  for (let i = 0; i < 2_000; i++)
    for (const digit of createKeySecret('test').slice(9, 39)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const expected = drawn / 62;
  const chiSquare = [...digits].reduce((sum, digit) => sum + ((counts.get(digit) ?? 0) - expected) ** 2 / expected, 0);
  // With 61 degrees of freedom, chance exceeds this about once in a million runs. Bytes modulo 62 give about 450.
  expect(chiSquare).toBeLessThan(130);
});

test('previews the first and last four characters', () => {
  expect(previewKeySecret('upz_live_abcdefghijklmnopqrstuvwxyz0123456789')).toBe('upz_live_abcd...6789');
});
