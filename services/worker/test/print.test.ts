import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { expect, it, onTestFinished } from 'vitest';
import { openChaos } from './chaos.ts';

it('converts a result to CMYK, and writes its total ink to the receipt', async () => {
  const { product, user, close } = await openChaos({ services: ['gateway', 'worker'] });
  onTestFinished(close);
  const options = { engine: 'standard', scaleFactor: '2', format: 'tiff', printProfile: 'generic' };
  const body = imageForm(await makeImage({ width: 32, height: 24 }), options);
  const { data: job } = await user.client.processImage({ body, headers: { prefer: 'wait=60' } });
  expect(job).toMatchObject({ status: 'completed', format: 'tiff', recipe: { printProfile: 'generic' } });
  const { receipt } = await product.db
    .selectFrom('jobs')
    .select('receipt')
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow();
  expect(receipt?.print).toMatchObject({ profile: 'generic', description: 'Chemical proof' });
  expect(receipt?.print?.maxInk).toBeGreaterThan(10);
});
