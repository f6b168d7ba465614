import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { AnyKeyKind } from '@uprez/contracts/policy/sandbox';
import { keyPrefixes, servicePrefix } from '@uprez/contracts/schemas/api-keys';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
const prefixes: Record<AnyKeyKind, string> = { ...keyPrefixes, service: servicePrefix };
const secretPattern = new RegExp(
  `^(?:${Object.values(prefixes).join('|')})[0-9A-Za-z]{${randomLength + checksumLength}}$`,
);

/** Returns the CRC32 in base 62. Six digits are enough, because they hold more than 32 bits. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let i = 0; i < checksumLength; i++) {
    checksum = digits.charAt(rest % digits.length) + checksum;
    rest = Math.floor(rest / digits.length);
  }
  return checksum;
}

/**
 * Creates a secret from a prefix, 30 random characters (178 bits), and a checksum. The prefix and checksum let secret
 * scanners recognize it.
 */
export function createKeySecret(kind: AnyKeyKind): string {
  const random = Array.from({ length: randomLength }, () => digits.charAt(randomInt(digits.length))).join('');
  const text = prefixes[kind] + random;
  return text + checksumOf(text);
}

/** Whether a string has the format and checksum of a key. Any other string can be rejected without a lookup. */
export const isKeySecret = (text: string): boolean =>
  secretPattern.test(text) && checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength);

export const isServiceSecret = (secret: string): boolean => secret.startsWith(servicePrefix);

/** Returns the hash of a key for storage. A slower hash isn't needed, because 178 random bits can't be guessed. */
export const hashKeySecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Shortens a key to a preview that its owner can recognize: the prefix, and the first and last four characters. */
export function previewKeySecret(secret: string): string {
  const start = secret.lastIndexOf('_') + 1;
  return `${secret.slice(0, start + 4)}...${secret.slice(-4)}`;
}
