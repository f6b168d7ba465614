import { randomUUID } from 'node:crypto';
import type { BrowserContext } from '@playwright/test';
import { corruptPng, makeImage } from '@uprez/testing/make-image';
import type { TestProduct } from '@uprez/testing/products/start-test-product';
import { waitUntil } from '@uprez/testing/wait-until';

type Options = {
  context: BrowserContext;
  product: TestProduct;
  names: { person: string; keys: readonly string[]; files: readonly string[] };
};

/**
 * Signs in a new account in `context` that has keys, a completed and a failed job for each file, and a batch that is
 * waiting for its files.
 */
export async function makeBusyAccount({ context, product, names }: Options): Promise<void> {
  const { url } = product;
  const headers = { origin: url };
  const email = `${randomUUID()}@example.test`;
  const post = async (path: string, data: object) => {
    const response = await context.request.post(url + path, { data, headers });
    if (!response.ok()) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  const { id } = await post('/api/register', { email, password: 'six feet under', firstName: names.person });
  const paid = { tier: 'api_pro' as const, emailVerified: true };
  await product.db.updateTable('users').set(paid).where('id', '=', id).execute();
  for (const name of names.keys) await post('/api/api-keys', { name });
  const whole = await makeImage({ width: 300, height: 200, format: 'png', seed: 4 });
  /** The header is valid, so the job fails while decoding. */
  const torn = corruptPng(whole);
  for (const name of names.files)
    for (const buffer of [whole, torn]) {
      const multipart = { image: { name, mimeType: 'image/png', buffer }, engine: 'standard' };
      const prefer = { ...headers, prefer: 'respond-async' };
      await context.request.post(`${url}/api/images/process`, { multipart, headers: prefer });
    }
  const items = names.files.map((name, index) => ({ clientId: String(index), name, relativePath: name }));
  await post('/api/batches', { recipe: { engine: 'standard' }, items });
  await waitUntil(
    async () => {
      const response = await context.request.get(`${url}/api/jobs?status=queued`);
      return (await response.json()).length === 0;
    },
    { what: 'every job taken' },
  );
}
