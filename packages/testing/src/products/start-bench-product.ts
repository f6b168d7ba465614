import { openPrivatePostgres, openPrivateRedis } from '../services/open-embedded.ts';
import { type ProductOptions, startTestProduct, type TestProduct } from './start-test-product.ts';

/** Starts the product on a private PostgreSQL and Redis, which stop when it closes. For benches, which Vitest doesn't run. */
export async function startBenchProduct(
  options: Omit<ProductOptions, 'databaseUrl' | 'redisUrl'> = {},
): Promise<TestProduct> {
  const [postgres, redis] = [await openPrivatePostgres(), await openPrivateRedis()];
  const product = await startTestProduct({ databaseUrl: postgres.url, redisUrl: redis.url, ...options });
  return {
    ...product,
    close: async () => {
      await product.close();
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}
