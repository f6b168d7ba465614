import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import type { Db } from '@uprez/db/database';
import { findSettings, setInstanceFact, upsertSettings } from '@uprez/db/queries/instance/instance';
import { twoFactorPurpose } from '@uprez/domain/accounts/two-factor-codes';
import { targetPurpose } from '@uprez/domain/batches/deliver-result';
import { imageUrlSecretPurpose as imageUrlPurpose } from '@uprez/domain/image-urls/image-url-settings';
import { makeSubscriberToken, readSubscriberToken } from '@uprez/domain/newsletter/subscribers/subscription';
import { resealSecrets } from '@uprez/domain/secrets/reseal-secrets';
import { smtpPurpose } from '@uprez/domain/settings/open-settings';
import { probeAccountFact } from '@uprez/domain/status/probing/probe-account';
import { openVault, type Vault } from '@uprez/domain/vault';
import { webhookSecretPurpose as webhookPurpose } from '@uprez/domain/webhooks/get-webhook';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { sealedColumns } from '../../src/secrets/reseal-secrets.ts';

const database = fileFixture(() => openTestDatabase());
const [freshSecret, oldSecret] = ['the new vault secret of these tests', 'the old vault secret of these tests'];
const [fresh, old, both] = [openVault(freshSecret), openVault(oldSecret), openVault(freshSecret, oldSecret)];

type Stored = { purpose: string; read: () => Promise<string> };

/** Stores a secret in every place. Returns how each is read, and what for it is sealed. */
async function storeAll(vault: Vault): Promise<Stored[]> {
  const { db } = database;
  const { accountId } = await makeUser(db, 'api_pro');
  const [endpointId, itemId, batchId] = [randomUUID(), randomUUID(), randomUUID()];
  const twoFactorSecret = vault.seal('a', twoFactorPurpose(accountId));
  await db.updateTable('users').set({ twoFactorSecret }).where('id', '=', accountId).execute();
  const webhook = { secret: vault.seal('b', webhookPurpose), formerSecret: vault.seal('c', webhookPurpose) };
  const endpoint = { ...webhook, id: endpointId, accountId, kind: 'endpoint', url: 'https://a.example/' } as const;
  await db
    .insertInto('webhookEndpoints')
    .values({ ...endpoint, isSandbox: false })
    .execute();
  const image = {
    secret: vault.seal('d', imageUrlPurpose),
    formerSecret: vault.seal('e', imageUrlPurpose),
    formerUntil: new Date(),
  };
  await db
    .insertInto('imageUrlSettings')
    .values({ ...image, accountId, keyId: randomUUID().slice(0, 12) })
    .execute();
  await sql`insert into batches (id, account_id, recipe, expires_at) values (${batchId}, ${accountId}, '{}', now())`.execute(
    db,
  );
  await sql`insert into batch_items (id, batch_id, position, client_id, name, relative_path, unit_id)
    values (${itemId}, ${batchId}, 0, 'a', 'a.png', 'a.png', ${randomUUID()})`.execute(db);
  const target = vault.seal('f', targetPurpose(itemId));
  await db.insertInto('resultDeliveries').values({ itemId, target, host: 'a.example' }).execute();
  await setInstanceFact(db, probeAccountFact, vault.seal('g', probeAccountFact));
  await upsertSettings(db, 'email', { fromName: 'Uprez', smtpPassword: vault.seal('h', smtpPurpose) });
  const read = (table: string, column: string, where: string) => async () => {
    const { rows } = await sql<{ sealed: string }>`
      select ${sql.ref(column)} as sealed from ${sql.table(table)} where ${sql.raw(where)}`.execute(db);
    return rows[0]?.sealed ?? '';
  };
  return [
    { purpose: twoFactorPurpose(accountId), read: read('users', 'two_factor_secret', `id = '${accountId}'`) },
    { purpose: webhookPurpose, read: read('webhook_endpoints', 'secret', `id = '${endpointId}'`) },
    { purpose: webhookPurpose, read: read('webhook_endpoints', 'former_secret', `id = '${endpointId}'`) },
    { purpose: imageUrlPurpose, read: read('image_url_settings', 'secret', `account_id = '${accountId}'`) },
    { purpose: imageUrlPurpose, read: read('image_url_settings', 'former_secret', `account_id = '${accountId}'`) },
    { purpose: targetPurpose(itemId), read: read('result_deliveries', 'target', `item_id = '${itemId}'`) },
    { purpose: probeAccountFact, read: read('instance', 'value', `name = '${probeAccountFact}'`) },
    { purpose: smtpPurpose, read: async () => String((await findSettings(db, 'email'))?.smtpPassword) },
  ];
}

const open = async (vault: Vault, stored: readonly Stored[]) =>
  (await Promise.all(stored.map(async ({ purpose, read }) => vault.unseal(await read(), purpose)))).join('');

it('reseals every stored secret once, and each is readable throughout', async () => {
  const { db } = database;
  const stored = await storeAll(old);
  expect(await open(both, stored)).toBe('abcdefgh');
  const version = async () => (await db.selectFrom('settings').select('version').executeTakeFirstOrThrow()).version;
  const before = await version();
  expect(await resealSecrets({ db, vault: both })).toEqual({ total: 8, resealed: 8, unreadable: [] });
  expect(await open(both, stored)).toBe('abcdefgh');
  expect(await open(fresh, stored)).toBe('abcdefgh');
  expect(await findSettings(db, 'email')).toMatchObject({ fromName: 'Uprez' });
  expect(await version()).toBe(before);
  expect(await resealSecrets({ db, vault: both })).toEqual({ total: 8, resealed: 0, unreadable: [] });
});

it('names secrets that no secret opens, and keeps them', async () => {
  const { db } = database;
  const { accountId } = await makeUser(db);
  const sealed = openVault('the vault secret of another installation').seal('x', twoFactorPurpose(accountId));
  await db.updateTable('users').set({ twoFactorSecret: sealed }).where('id', '=', accountId).execute();
  const { resealed, unreadable } = await resealSecrets({ db, vault: both });
  expect({ resealed, unreadable }).toEqual({ resealed: 0, unreadable: [`two-factor secret of ${accountId}`] });
  const user = db.selectFrom('users').select('twoFactorSecret').where('id', '=', accountId);
  expect(await user.executeTakeFirst()).toEqual({ twoFactorSecret: sealed });
  await db.deleteFrom('users').where('id', '=', accountId).execute();
});

it('keeps a secret that changes while it is resealed', async () => {
  const { db } = database;
  const { accountId } = await makeUser(db);
  const purpose = twoFactorPurpose(accountId);
  const write = (one: Db, twoFactorSecret: string) =>
    one.updateTable('users').set({ twoFactorSecret }).where('id', '=', accountId).execute();
  await write(db, old.seal('first', purpose));
  // One connection runs its statements in order, so the change is before the replacement.
  await db.connection().execute(async (one) => {
    let changed: Promise<unknown> = Promise.resolve();
    const reseal: Vault['reseal'] = (sealed, about) => {
      if (about === purpose) changed = write(one, fresh.seal('second', purpose));
      return both.reseal(sealed, about);
    };
    await resealSecrets({ db: one, vault: { ...both, reseal } });
    await changed;
  });
  const user = await db.selectFrom('users').select('twoFactorSecret').where('id', '=', accountId).executeTakeFirst();
  expect(fresh.unseal(user?.twoFactorSecret ?? '', purpose)).toBe('second');
});

it('verifies links of the newsletter under both secrets, and makes them with the new one', () => {
  const id = randomUUID();
  const token = makeSubscriberToken({ vault: old }, id);
  expect(readSubscriberToken({ vault: both }, token)).toBe(id);
  expect(readSubscriberToken({ vault: fresh }, token)).toBeUndefined();
  expect(readSubscriberToken({ vault: fresh }, makeSubscriberToken({ vault: both }, id))).toBe(id);
});

/** Where texts are sealed. `quote.ts` stores none. A new place needs an entry in `reseal-secrets.ts`. */
const sealing = [
  'accounts/two-factor.ts',
  'batches/deliver-result.ts',
  'billing/changes/quote.ts',
  'image-urls/image-url-settings.ts',
  'settings/smtp-password.ts',
  'status/probing/probe-account.ts',
  'webhooks/change-webhook.ts',
  'webhooks/get-webhook.ts',
];

it('knows every column that sealed texts are stored in', async () => {
  const folder = new URL('../../src/', import.meta.url);
  const files = (await fs.readdir(folder, { recursive: true })).filter((file) => /(?<!vault|\.test)\.ts$/.test(file));
  const found: string[] = [];
  for (const file of files)
    if ((await fs.readFile(new URL(file, folder), 'utf8')).includes('vault.seal(')) found.push(file);
  expect(found.sort()).toEqual(sealing);
  expect(sealedColumns).toHaveLength(7);
});
