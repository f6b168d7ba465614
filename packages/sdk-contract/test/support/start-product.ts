import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { readConfig } from '@uprez/gateway/config';
import { openDeps } from '@uprez/gateway/deps';
import { startGateway } from '@uprez/gateway/start-gateway';
import { openLogger } from '@uprez/runtime/open-logger';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';
import { pullTestModels, startIsolatedProduct } from '@uprez/testing/products/start-test-product';
import { signUp } from '@uprez/testing/sign-up';

/** A host name that resolves to a private IP address, which shows only when the gateway fetches from it. */
const privateHost = 'private.example';

/**
 * Starts the product: worker and dispatcher as processes, the gateway in this process, because it must treat a test site
 * as public. `publicUrl`: base URL of links.
 */
export async function startProduct(publicUrl: string, image: Buffer) {
  const modelsDir = await pullTestModels();
  const site = await openTlsSite((_request, response) => response.end(image));
  const product = await startIsolatedProduct({
    services: ['worker', 'dispatcher'],
    env: { PUBLIC_URL: publicUrl, MODELS_DIR: modelsDir, LEASE_S: '30' },
  });
  const config = readConfig({ ...product.env, METRICS_PORT: '0', LOG_LEVEL: 'silent' });
  const logger = openLogger({ service: 'gateway', level: config.LOG_LEVEL });
  const network = {
    ...site.network,
    resolve: async (host: string) => (host === privateHost ? ['10.0.0.1'] : site.network.resolve(host)),
  };
  const gateway = await startGateway(config, logger, { ...openDeps(config, logger), network });
  const url = `http://127.0.0.1:${new URL(gateway.url).port}`;
  const signUpOn = async (tier: Tier) => {
    const { client, user } = await signUp(url);
    await product.db.updateTable('users').set({ tier, emailVerified: true }).where('id', '=', user.id).execute();
    return { client, user };
  };
  return {
    url,
    product,
    /** Creates an account with a live and a test API key, on a plan without webhooks. */
    createAccount: async () => {
      const { client, user } = await signUpOn('api_basic');
      const make = async (kind: 'live' | 'test') =>
        (await client.createApiKey({ body: { name: kind, kind } })).data.key;
      return { accountId: user.id, live: await make('live'), test: await make('test') };
    },
    /** Creates an account on a plan with webhooks. Returns an API key that may manage them. */
    createWebhookKey: async () => {
      const { client } = await signUpOn('api_pro');
      return (await client.createApiKey({ body: { name: 'webhooks', kind: 'live', scopes: ['webhooks'] } })).data.key;
    },
    close: async () => {
      await gateway.close();
      await product.close();
      await site.close();
    },
  };
}
export type Product = Awaited<ReturnType<typeof startProduct>>;
