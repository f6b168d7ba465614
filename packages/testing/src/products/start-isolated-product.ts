import { openTestDatabase } from '../open-test-database.ts';
import { getServices } from '../provided-services.ts';
import { type ProductOptions, startTestProduct, type TestProduct } from './start-test-product.ts';

/** Starts the product on a database of its own, which is dropped when the product closes. */
export async function startIsolatedProduct(
  options: Omit<ProductOptions, 'databaseUrl' | 'redisUrl'> = {},
): Promise<TestProduct> {
  const database = await openTestDatabase();
  const { redisUrl } = getServices();
  const product = await startTestProduct({ databaseUrl: database.url, redisUrl, ...options });
  return {
    ...product,
    close: async () => {
      await product.close();
      await database.close();
    },
  };
}
