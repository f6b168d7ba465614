import { openMailCatcher } from '@uprez/testing/open-mail-catcher';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { getServices } from '@uprez/testing/provided-services';
import type { ServiceName } from '@uprez/testing/spawn-service';
import { startTestProduct, type TestProduct } from '@uprez/testing/start-test-product';

export type FullProduct = {
  product: TestProduct;
  /** Of the page that shows the mails it sent. */
  mailUrl: string;
  /** What a service needs to know of its mail server. */
  mailEnv: Awaited<ReturnType<typeof openMailCatcher>>['env'];
  close: () => Promise<void>;
};

export type FullOptions = {
  services: readonly ServiceName[];
  /** Whether the product knows its mail server from the start. */
  knowsServer: boolean;
  env?: Record<string, string>;
};

/** The product as processes on a database of its own, beside a real mail server. */
export async function startFullProduct({ services, knowsServer, env }: FullOptions): Promise<FullProduct> {
  const [catcher, database] = await Promise.all([openMailCatcher(), openTestDatabase()]);
  const product = await startTestProduct({
    databaseUrl: database.url,
    redisUrl: getServices().redisUrl,
    services,
    env: {
      PUBLIC_URL: 'http://images.example',
      SWEEP_S: '0.2',
      ADMIN_EMAIL: 'admin@images.example',
      ...(knowsServer && catcher.env),
      ...env,
    },
  });
  return {
    product,
    mailUrl: catcher.url,
    mailEnv: catcher.env,
    close: async () => {
      await product.close();
      await Promise.all([catcher.close(), database.close()]);
    },
  };
}
