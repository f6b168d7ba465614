import { makeUser } from '@uprez/testing/make-user';
import { shareTestContext } from '@uprez/testing/share-test-context';
import { beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../src/api-keys/create-api-key.ts';
import { openKeyOrigins } from '../src/api-keys/open-key-origins.ts';
import { changeApiKey, deleteApiKey } from '../src/api-keys/own-api-keys.ts';

const ctx = shareTestContext();
let accountId: string;
beforeAll(async () => {
  ({ accountId } = await makeUser(ctx.db, 'api_basic'));
  await ctx.db.updateTable('users').set({ emailVerified: true }).where('id', '=', accountId).execute();
});

async function makeKey(...allowedOrigins: string[]): Promise<{ accountId: string; id: string }> {
  const { key } = await createApiKey(ctx, { accountId, name: 'CI', kind: 'live', scopes: ['read'], allowedOrigins });
  return { accountId, id: key.id };
}

it('includes the origins of active keys only', async () => {
  await makeKey('https://a.example', 'https://b.example');
  const inactive = await makeKey('https://b.example', 'https://inactive.example');
  await changeApiKey(ctx, { ...inactive, change: { isActive: false } });
  const expired = await makeKey('https://expired.example');
  await ctx.db
    .updateTable('apiKeys')
    .set({ expiresAt: new Date(0) })
    .where('id', '=', expired.id)
    .execute();
  const deleted = await makeKey('https://deleted.example');
  await deleteApiKey(ctx, deleted);
  const origins = openKeyOrigins(ctx);
  const names = ['a', 'b', 'inactive', 'expired', 'deleted', 'unknown'];
  const included = await Promise.all(names.map((name) => origins.includes(`https://${name}.example`)));
  expect(included).toEqual([true, true, false, false, false, false]);
  expect(await origins.ofJob({ apiKeyId: expired.id })).toEqual(['https://expired.example']);
  expect(await origins.ofJob({ apiKeyId: deleted.id })).toEqual([]);
  expect(await origins.ofJob({ apiKeyId: null })).toEqual([]);
});

it('reads the database once for many unknown origins', async () => {
  let queries = 0;
  const db = ctx.db.withPlugin({
    transformQuery: ({ node }) => {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const origins = openKeyOrigins({ db });
  const unknown = Array.from({ length: 1_000 }, (_, index) => `https://${index}.test`);
  expect(await Promise.all(unknown.map((origin) => origins.includes(origin)))).not.toContain(true);
  expect(queries).toBe(1);
});
