import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';

const secret = z
  .string()
  .min(32)
  .default(() => makeSecret());
/** Generates hex, because Stripe's secrets have no hyphens. */
const stripeSecret = (prefix: string) =>
  z
    .string()
    .startsWith(prefix)
    .default(() => `${prefix}${randomBytes(24).toString('hex')}`);
const secretsSchema = z.object({
  postgresPassword: secret,
  redisPassword: secret,
  sessionSecret: secret,
  urlSecret: secret,
  vaultSecret: secret,
  smtpPassword: secret,
  stripeSecretKey: stripeSecret('sk_test_'),
  stripeWebhookSecret: stripeSecret('whsec_'),
});

export type Secrets = z.infer<typeof secretsSchema>;

/** Returns 256 random bits, encoded in base64url. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Reads the secrets of an installation. Generates and stores missing secrets in a file that only the owner can read.
 * Throws if the file is damaged, because new secrets would make the existing database inaccessible.
 */
export function readSecrets(file: string): Secrets {
  const stored = existsSync(file) ? parseJson(file) : {};
  const parsed = secretsSchema.safeParse(stored);
  if (!parsed.success) throw new Error(`${file} is damaged. Restore it from a backup.`);
  if (JSON.stringify(stored) !== JSON.stringify(parsed.data)) {
    mkdirSync(dirname(file), { recursive: true });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(parsed.data, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  }
  return parsed.data;
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${file} can't be read: ${(cause as Error).message}`, { cause });
  }
}
