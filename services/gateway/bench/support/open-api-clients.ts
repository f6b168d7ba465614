import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { TestProduct } from '@uprez/testing/products/start-test-product';
import { signUp } from '@uprez/testing/sign-up';

/** Creates accounts of a plan on a running product and returns their keys. */
export async function openApiClients({ url, db }: TestProduct, count: number, tier: Tier): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { client, user } = await signUp(url);
    await db.updateTable('users').set({ tier, emailVerified: true }).where('id', '=', user.id).execute();
    keys.push((await client.createApiKey({ body: { name: 'bench' } })).data.key);
  }
  return keys;
}
