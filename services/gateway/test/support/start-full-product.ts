import { openMailCatcher } from '@uprez/testing/mail/open-mail-catcher';
import type { ServiceName } from '@uprez/testing/products/spawn-service';
import { startIsolatedProduct } from '@uprez/testing/products/start-isolated-product';
import type { TestProduct } from '@uprez/testing/products/start-test-product';

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
