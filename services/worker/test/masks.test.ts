import { makeImage } from '@uprez/testing/make-image';
import { pullTestModels } from '@uprez/testing/products/start-test-product';
import { imageForm } from '@uprez/testing/sign-up';
import { expect, it, onTestFinished } from 'vitest';
import { openChaos } from './chaos.ts';

it('processes an image with its mask, and writes the protected share to the receipt', async () => {
  const env = { MODELS_DIR: await pullTestModels() };
  const { product, user, close } = await openChaos({ services: ['gateway', 'worker'], env });
  onTestFinished(close);
  const size = { width: 32, height: 24 };
  const body = imageForm(await makeImage(size), { engine: 'photo-fast', scaleFactor: '2' });
  const mask = await makeImage(size);
  body.set('mask', new Blob([new Uint8Array(mask)]), 'mask.png');
  const { data: job } = await user.client.processImage({ body, headers: { prefer: 'wait=60' } });
  expect(job).toMatchObject({ status: 'completed', engine: 'photo-fast' });
  expect(job.recipe).not.toHaveProperty('mask');
  const { receipt } = await product.db
    .selectFrom('jobs')
    .select('receipt')
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow();
  expect(receipt?.engine).toBe('photo-fast');
  // The mask is gray, so it protects a part of each pixel.
  expect(receipt?.maskedShare).toBeGreaterThan(0.2);
  expect(receipt?.maskedShare).toBeLessThan(0.8);
});
