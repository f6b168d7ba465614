import type { Tier } from '@uprez/contracts/policy/plans';
import type { KeyKind, KeyScope } from '@uprez/contracts/schemas/api-keys';
import { findFreePort } from '@uprez/local-stack/find-free-port';
import { signUp } from '../sign-up.ts';
import { startIsolatedProduct } from './start-test-product.ts';

type KeyFacts = { tier?: Tier; kind?: KeyKind; scopes?: KeyScope[]; monthlyCap?: number };
export type ApiProduct = Awaited<ReturnType<typeof startApiProduct>>;

/** Starts a product whose links use its own URL. `makeKey`: creates an account with a key. */
export async function startApiProduct(env: Record<string, string> = {}) {
  const port = await findFreePort();
  const product = await startIsolatedProduct({
    env: { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, ...env },
  });
  return {
    product,
    makeKey: async ({ tier = 'api_pro', ...facts }: KeyFacts = {}) => {
      const { client, user } = await signUp(product.url);
      const values = { tier, emailVerified: true };
      await product.db.updateTable('users').set(values).where('id', '=', user.id).execute();
      return (await client.createApiKey({ body: { name: 'test', ...facts } })).data.key;
    },
    close: product.close,
  };
}
