import { openMailCatcher } from '@uprez/testing/mail';
import type { ServiceName } from '@uprez/testing/products/spawn-service';
import { startIsolatedProduct, type TestProduct } from '@uprez/testing/products/start-test-product';

export type FullProduct = {
  product: TestProduct;
  /** URL of the mail server's inbox. */
  mailUrl: string;
  /** Environment variables of the mail server. */
  mailEnv: Awaited<ReturnType<typeof openMailCatcher>>['env'];
  close: () => Promise<void>;
};

export type FullOptions = {
  services: readonly ServiceName[];
  /** Whether the services start with the mail server in their environment. */
  knowsServer: boolean;
  env?: Record<string, string>;
};

/** Starts the services as processes with a separate database and a real mail server. */
export async function startFullProduct({ services, knowsServer, env }: FullOptions): Promise<FullProduct> {
  const catcher = await openMailCatcher();
  const product = await startIsolatedProduct({
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
      await catcher.close();
    },
  };
}
