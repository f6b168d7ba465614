import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../../src/stripe/state/open-store.ts';
import { makeStripeFolder } from './helpers.ts';

const secret = (id: string) => ({ id, secret: id });

it('undoes all changes of a transaction that throws', () => {
  const store = openStore(makeStripeFolder());
  store.transaction(() => store.put('webhookSecrets', secret('a')));
  const fail = () => {
    store.put('webhookSecrets', { id: 'a', secret: 'changed' });
    store.put('webhookSecrets', secret('b'));
    throw new Error('failed');
  };
  expect(() => store.transaction(fail)).toThrow('failed');
  expect(store.list('webhookSecrets')).toEqual([secret('a')]);
});

it('keeps whole transactions when the process died while writing', () => {
  const dataDir = makeStripeFolder();
  const store = openStore(dataDir);
  store.transaction(() => store.put('webhookSecrets', secret('a')));
  appendFileSync(join(dataDir, 'stripe.jsonl'), '[{"table":"webhookSecrets","id":"b","row":{"id"');
  const reopened = openStore(dataDir);
  expect(reopened.list('webhookSecrets')).toEqual([secret('a')]);
  reopened.transaction(() => reopened.remove('webhookSecrets', 'a'));
  expect(openStore(dataDir).list('webhookSecrets')).toEqual([]);
});

it('refuses to write outside of a transaction', () => {
  const store = openStore(makeStripeFolder());
  expect(() => store.put('webhookSecrets', secret('a'))).toThrow('transaction');
});
