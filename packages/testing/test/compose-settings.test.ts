import { fileURLToPath } from 'node:url';
import { type SettingName, settings } from '@uprez/runtime/settings';
import { describe, expect, it } from 'vitest';
import { readCompose } from '../../../infra/local/containers/read-compose.ts';
import { readImageEnv } from './kubernetes/read-base.ts';
import { listNames, readers } from './support/service-settings.ts';

/** Read by services, but not from the environment of the operator. */
const notForwarded: Partial<Record<SettingName, string>> = {
  DATA_DIR: 'all files are in S3',
  JOB_DIR: 'only /tmp is writable',
  PORT: 'the image of the gateway sets it. Other services only derive the default of PUBLIC_URL from it',
  STRIPE_API_URL: 'refused in production',
  WORKER_POOL: 'the service worker-reserved sets it',
};

/** A value for each variable, so that the environment of a service shows where it comes from. */
const given = (name: string) => `given as ${name}`;
const variables = [...Object.keys(settings), 'POSTGRES_PASSWORD', 'MINIO_ROOT_PASSWORD'];
const file = fileURLToPath(new URL('../../../docker-compose.yml', import.meta.url));
const { services } = readCompose(file, Object.fromEntries(variables.map((name) => [name, given(name)])));

describe.each(Object.entries(readers))('the environment of %s in docker-compose.yml', (name, read) => {
  const { environment = {}, image = '' } = services[name] ?? {};
  const names = listNames(read);

  it('contains every setting that the service reads', () => {
    const inImage = readImageEnv(image);
    const missing = [...names].filter((one) => !(one in environment || one in inImage || one in notForwarded));
    expect(missing, 'Add them to docker-compose.yml, or to the exceptions with a reason').toEqual([]);
  });

  it('contains no setting that the service does not read', () => {
    expect(Object.keys(environment).filter((one) => !names.has(one))).toEqual([]);
  });

  it('takes each value from the variable of the same name, except for those of the stores', () => {
    const other = Object.entries(environment).filter(([key, value]) => value !== given(key));
    const stores = ['DATABASE_URL', 'REDIS_URL', 'STORAGE', 'S3_'];
    expect(other.filter(([key]) => !stores.some((store) => key.startsWith(store)))).toEqual([]);
  });
});

it('makes exceptions only for settings that a service reads', () => {
  const read = new Set(Object.values(readers).flatMap((one) => [...listNames(one)]));
  expect(Object.keys(notForwarded).filter((name) => !read.has(name))).toEqual([]);
});
