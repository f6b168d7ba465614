import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineName } from '@uprez/contracts/policy/images/engines';
import { modelPath, pullMarkerPath } from '@uprez/models/locate-model';
import { makeImage } from '@uprez/testing/make-image';
import { pullTestModels } from '@uprez/testing/products/start-test-product';
import { imageForm } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it, onTestFinished } from 'vitest';
import { openChaos } from './chaos.ts';

it('offers a model that is installed while the worker runs, and loads it for the first job that needs it', async () => {
  const modelsDir = await mkdtemp(join(tmpdir(), 'uprez-engines-'));
  onTestFinished(() => rm(modelsDir, { recursive: true, force: true }));
  await writeFile(pullMarkerPath(modelsDir, 'photo-fast'), '');
  // The model of the operator's engine is never there.
  const env = { MODELS_DIR: modelsDir, AI_ENGINE: 'art-fast' };
  const { product, user, close } = await openChaos({ services: ['gateway', 'worker'], env });
  onTestFinished(close);
  const find = async (name: EngineName) =>
    (await user.client.listEngines()).data.find((engine) => engine.name === name);
  await waitUntil(async () => (await find('photo-fast'))?.installing);
  expect(await find('photo-fast')).toMatchObject({ available: false });
  expect(await find('standard')).toMatchObject({ available: true, installing: false });

  await copyFile(modelPath(await pullTestModels(), 'photo-fast'), modelPath(modelsDir, 'photo-fast'));
  await waitUntil(async () => (await find('photo-fast'))?.available);
  const body = imageForm(await makeImage({ width: 32, height: 24 }), { engine: 'photo-fast', scaleFactor: '2' });
  const { data: job } = await user.client.processImage({ body, headers: { prefer: 'wait=60' } });
  expect(job).toMatchObject({ status: 'completed', engine: 'photo-fast' });
  const { receipt } = await product.db
    .selectFrom('jobs')
    .select('receipt')
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow();
  expect(receipt).toMatchObject({ engine: 'photo-fast' });
});
