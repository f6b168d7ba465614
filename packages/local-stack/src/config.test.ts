import { expect, it } from 'vitest';
import { readStackConfig } from './config.ts';

it('resolves defaults relative to the root folder', () => {
  expect(readStackConfig('/srv/uprez', {})).toMatchObject({
    dataDir: '/srv/uprez/.data',
    modelsDir: '/srv/uprez/.data/models',
    engine: 'photo-fast',
    port: 3000,
    publicUrl: 'http://localhost:3000',
    databaseUrl: undefined,
    storage: 'disk',
    payments: undefined,
  });
});

it('prefers settings of the environment, and ignores empty ones', () => {
  const env = { DATA_DIR: '/data', MODELS_DIR: 'nets', PORT: '8080', PUBLIC_URL: '', DATABASE_URL: 'postgres://h/db' };
  expect(readStackConfig('/srv/uprez', env)).toMatchObject({
    dataDir: '/data',
    modelsDir: '/srv/uprez/nets',
    publicUrl: 'http://localhost:8080',
    databaseUrl: 'postgres://h/db',
  });
});

it('throws one error that names every invalid setting', () => {
  const env = {
    LEASE_S: 'soon',
    JAIL: 'maybe',
    PORT: '70000',
    DATABASE_URL: 'mysql://h/db',
    REDIS_URL: 'nonsense',
    AI_ENGINE: 'magic',
    STORAGE: 'tape',
  };
  for (const name of Object.keys(env)) expect(() => readStackConfig('/srv/uprez', env)).toThrow(`${name}: `);
});

it('throws an error for a Stripe key without the other', () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  };
  expect(readStackConfig('/srv/uprez', keys)).toMatchObject({ payments: { mode: 'test' } });
  expect(() => readStackConfig('/srv/uprez', { ...keys, STRIPE_PUBLISHABLE_KEY: '' })).toThrow(
    'STRIPE_PUBLISHABLE_KEY is missing',
  );
});
