import { SettingsError } from '@uprez/runtime/parse-settings';
import { settings } from '@uprez/runtime/settings';
import { describe, expect, it } from 'vitest';
import { listNames, type ReadConfig, readers } from '../support/service-settings.ts';
import { type PodName, readContainer, readImageEnv, secretsFile, settingsFile } from './read-base.ts';

const services: [PodName, ReadConfig, required: string[]][] = [
  ['gateway', readers.gateway, ['DATABASE_URL', 'REDIS_URL', 'VAULT_SECRET', 'SESSION_SECRET', 'URL_SECRET']],
  ['worker', readers.worker, ['DATABASE_URL', 'REDIS_URL']],
  ['dispatcher', readers.dispatcher, ['DATABASE_URL', 'VAULT_SECRET', 'REDIS_URL']],
  ['setup', readers.setup, ['DATABASE_URL']],
];

const secrets: Record<string, string> = {
  ...secretsFile,
  DATABASE_URL: 'postgres://uprez:secret@postgres.example.com:5432/uprez',
  REDIS_URL: 'rediss://:secret@redis.example.com:6379',
  SESSION_SECRET: 'a'.repeat(32),
  URL_SECRET: 'b'.repeat(32),
  VAULT_SECRET: 'c'.repeat(32),
};

/** The environment of a container: of its image, the ConfigMap, and its own variables. */
function makeEnv(name: PodName, values: Record<string, string>): Record<string, string> {
  const { env = [], image = '' } = readContainer(name);
  const own = env.map(({ name: variable, value, valueFrom }) => {
    const key = valueFrom?.secretKeyRef?.key;
    return [variable, key === undefined ? (value ?? '') : (values[key] ?? `no secret ${key}`)];
  });
  return { ...readImageEnv(image), ...settingsFile, ...Object.fromEntries(own) };
}

it.each([
  ['settings.env', settingsFile],
  ['secrets.env.example', secretsFile],
])('every variable of %s is a setting', (_file, values) => {
  expect(Object.keys(values).filter((name) => !(name in settings))).toEqual([]);
});

it('every setting of settings.env is read by a service, and is no secret', () => {
  const read = new Set(services.flatMap(([, config]) => [...listNames(config)]));
  expect(Object.keys(settingsFile).filter((name) => !read.has(name) || name in secretsFile)).toEqual([]);
});

describe.each(services)('the environment of %s', (name, read, required) => {
  const { env = [], envFrom } = readContainer(name);

  it('contains all settings of settings.env', () => {
    expect(envFrom).toEqual([{ configMapRef: { name: 'uprez-settings' } }]);
  });

  it('contains settings of the service only', () => {
    const names = listNames(read);
    expect(env.map((one) => one.name).filter((one) => !names.has(one))).toEqual([]);
  });

  it('contains exactly the secrets that the service reads', () => {
    const names = listNames(read);
    const given = env.filter(({ valueFrom }) => valueFrom?.secretKeyRef).map((one) => one.name);
    expect(given.sort()).toEqual(
      Object.keys(secretsFile)
        .filter((one) => names.has(one))
        .sort(),
    );
    for (const { name: variable, valueFrom } of env) expect(valueFrom?.secretKeyRef?.key ?? variable).toBe(variable);
  });

  it('is accepted with the values of the overlay and filled-in secrets', () => {
    const config = read(makeEnv(name, secrets));
    expect(config.NODE_ENV).toBe('production');
    expect(config.storage.kind).toBe('s3');
  });

  it('is rejected while required secrets are empty, and names them', () => {
    const missing = required.map((one) => `${one} is missing`);
    expect(() => read(makeEnv(name, secretsFile))).toThrow(new SettingsError(missing));
  });
});
