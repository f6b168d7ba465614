import { expect, test } from 'vitest';
import { parseSettings, SettingsError, storageOptions, storageSettings } from './parse-settings.ts';
import { type SettingName, settings } from './settings.ts';

const all = Object.keys(settings) as SettingName[];
const needed = {
  DATABASE_URL: 'postgres://u:p@127.0.0.1/db',
  REDIS_URL: 'redis://:p@127.0.0.1:6379',
  SESSION_SECRET: 's'.repeat(32),
  URL_SECRET: 'u'.repeat(32),
  VAULT_SECRET: 'v'.repeat(32),
};

function rejection(names: readonly SettingName[], env: Record<string, string>): string {
  try {
    parseSettings(names, env);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error('accepted');
}

test('uses valid defaults for all settings that have one', () => {
  expect(parseSettings(all, needed)).toMatchObject({ PORT: 3_000, LEASE_S: 30, SWEEP_S: 5, AI_ENGINE: 'photo-fast' });
});

test('parses numbers, flags, and folders', () => {
  const env = { PORT: '0', LEASE_S: '1.5', S3_FORCE_PATH_STYLE: 'false', DATA_DIR: 'somewhere' };
  const parsed = parseSettings(['PORT', 'LEASE_S', 'S3_FORCE_PATH_STYLE', 'DATA_DIR'], env);
  expect(parsed).toEqual({
    PORT: 0,
    LEASE_S: 1.5,
    S3_FORCE_PATH_STYLE: false,
    DATA_DIR: `${process.cwd()}/somewhere`,
  });
});

test('treats an empty text as missing', () => {
  expect(parseSettings(['PORT', 'WEB_DIR'], { PORT: '', WEB_DIR: '' })).toEqual({ PORT: 3_000, WEB_DIR: undefined });
  expect(rejection(['DATABASE_URL'], { DATABASE_URL: '' })).toContain('DATABASE_URL is missing');
});

test('reports all invalid settings with their allowed values', () => {
  const message = rejection(['PORT', 'LOG_LEVEL', 'DATABASE_URL', 'SESSION_SECRET', 'LEASE_S', 'ADMIN_EMAIL'], {
    PORT: '70000',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://x',
    LEASE_S: 'soon',
    ADMIN_EMAIL: 'nobody',
  });
  expect(message.split('\n').slice(1)).toEqual([
    '  PORT: must be at most 65535',
    '  LOG_LEVEL: must be one of: fatal, error, warn, info, debug, trace, silent',
    '  DATABASE_URL: must be a URL that starts with postgres:// or postgresql://',
    '  SESSION_SECRET is missing',
    '  LEASE_S: must be seconds from 0.5 to 3600',
    '  ADMIN_EMAIL: must be an email address',
  ]);
});

test('reports a secret that is too short with the minimum length', () => {
  expect(rejection(['SESSION_SECRET'], { SESSION_SECRET: 'short' })).toContain(
    'SESSION_SECRET: must be at least 32 characters',
  );
});

test('reads one secret, or two separated by a comma', () => {
  const [current, former] = ['n'.repeat(32), 'f'.repeat(32)];
  const read = (VAULT_SECRET: string) => parseSettings(['VAULT_SECRET'], { VAULT_SECRET }).VAULT_SECRET;
  expect(read(current)).toEqual([current]);
  expect(read(`${current}, ${former}`)).toEqual([current, former]);
  for (const text of [`${current},short`, `${current},`, `,${current}`])
    expect(rejection(['VAULT_SECRET'], { VAULT_SECRET: text })).toContain(
      'VAULT_SECRET: must be at least 32 characters',
    );
  expect(rejection(['VAULT_SECRET'], { VAULT_SECRET: `${current},${former},${current}` })).toContain(
    'VAULT_SECRET: must be one secret, or two separated by a comma',
  );
});

test('never repeats a value in the error', () => {
  const env = Object.fromEntries(all.map((name) => [name, `canary ${name}\n`]));
  const message = rejection(all, env);
  expect(message).not.toContain('canary');
  expect(message.split('\n').length).toBeGreaterThan(15);
});

test.each(['1e3', '-1', '0x10', ' 1', '1 ', 'NaN', 'Infinity', '1.5'])('rejects PORT=%j as a whole number', (text) => {
  expect(rejection(['PORT'], { PORT: text })).toContain('PORT: must be a whole number from 0 to 65535');
});

test('requires STORAGE in production, and defaults to disk elsewhere', () => {
  const read = (env: Record<string, string>) => storageOptions(parseSettings(storageSettings, env));
  expect(read({ DATA_DIR: '/data' })).toMatchObject({ kind: 'disk', dataDir: '/data' });
  expect(read({ NODE_ENV: 'production', STORAGE: 'disk' }).kind).toBe('disk');
  expect(() => read({ NODE_ENV: 'production' })).toThrow('STORAGE is missing');
  expect(() => read({ STORAGE: 's3', S3_SECRET_ACCESS_KEY: 'key' })).toThrow('S3_ACCESS_KEY_ID is missing');
  expect(() => read({ STORAGE: 's3', S3_ACCESS_KEY_ID: 'id' })).toThrow('S3_SECRET_ACCESS_KEY is missing');
  expect(read({ STORAGE: 's3', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' })).toMatchObject({
    kind: 's3',
    bucket: 'uprez',
    forcePathStyle: true,
  });
});
