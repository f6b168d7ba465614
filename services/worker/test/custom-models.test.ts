import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { listUsage } from '@uprez/db/queries/usage/usage';
import { customModelsFolder } from '@uprez/models/custom/custom-model';
import { sha256 } from '@uprez/models/files/sha256';
import { probeJail } from '@uprez/runtime/jail';
import { makeImage } from '@uprez/testing/make-image';
import { makeCompact, makeSpan } from '@uprez/testing/models/architectures';
import { makeRandom } from '@uprez/testing/random';
import { imageForm } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it, onTestFinished } from 'vitest';
import { installModel } from '../src/custom-models/install-model.ts';
import { openChaos } from './chaos.ts';

const span = makeSpan(makeRandom(1), { scale: 2, features: 8, blocks: 1 });
const statements = { title: 'My model', license: 'CC-BY-4.0', source: 'a test', for: 'drawings' } as const;

/** Starts the product with an empty folder of models. */
async function openProduct() {
  const modelsDir = await mkdtemp(join(tmpdir(), 'uprez-custom-engines-'));
  onTestFinished(() => rm(modelsDir, { recursive: true, force: true }));
  const { product, user, close } = await openChaos({
    services: ['gateway', 'worker'],
    env: { MODELS_DIR: modelsDir },
  });
  onTestFinished(close);
  const install = async (model: Uint8Array) => {
    const file = join(modelsDir, 'source.onnx');
    await writeFile(file, model);
    await installModel({ file, name: 'mine', statements, modelsDir, jail: probeJail('auto') });
    await waitUntil(async () => (await find('custom:mine'))?.custom?.sha256 === sha256(model));
  };
  const uninstall = () => rm(join(customModelsFolder(modelsDir), 'mine'), { recursive: true });
  const find = async (name: string) => (await user.client.listEngines()).data.find((engine) => engine.name === name);
  const submit = async (engine: string, prefer: string, fields: Record<string, string> = {}) => {
    const body = imageForm(await makeImage({ width: 40, height: 30 }), { engine, scaleFactor: '2', ...fields });
    return (await user.client.processImage({ body, headers: { prefer } })).data;
  };
  const findJob = (id: string) =>
    product.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const countJobs = async () =>
    (await product.db.selectFrom('jobs').select('id').where('accountId', '=', user.user.id).execute()).length;
  /** Units that were reserved or charged for a job and not given back. */
  const unitsOf = async (jobId: string) => {
    const rows = await product.db.selectFrom('ledger').select('units').where('jobId', '=', jobId).execute();
    return rows.reduce((sum, { units }) => sum - Number(units), 0);
  };
  return { product, user, install, uninstall, find, submit, findJob, countJobs, unitsOf };
}

it('runs jobs with a custom model that was added while the worker runs', async () => {
  const { product, user, install, find, submit, findJob, countJobs, unitsOf } = await openProduct();
  await waitUntil(async () => (await find('standard'))?.available);
  await expect(submit('custom:mine', 'wait=60')).rejects.toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringContaining('The engine "custom:mine" isn\'t available. Choose another one.'),
  });
  expect(await countJobs()).toBe(0);

  await install(span);
  expect(await find('custom:mine')).toMatchObject({
    ...{ meter: 'ai', available: true, isAuto: false, paused: false },
    says: 'Drawings. Custom model: My model. License: CC-BY-4.0.',
    custom: { title: 'My model', license: 'CC-BY-4.0', source: 'a test', for: 'drawings' },
  });
  const job = await submit('custom:mine', 'wait=60');
  expect(job).toMatchObject({ status: 'completed', engine: 'custom:mine' });
  const { receipt, plan } = await findJob(job.id);
  expect(receipt).toMatchObject({ engine: 'custom:mine', model: sha256(span), variant: 'fp32', width: 80 });
  expect(plan).toMatchObject({ engine: 'custom:mine', custom: { sha256: sha256(span) } });
  expect(await unitsOf(job.id)).toBe(1);
  const [from, to] = ['2000-01-01', '2999-01-01'];
  expect(await listUsage(product.db, { accountId: user.user.id, from, to })).toMatchObject([
    { meter: 'ai', completed: 1 },
  ]);

  await expect(submit('custom:mine', 'wait=60', { edges: 'wrap' })).rejects.toMatchObject({
    code: 'conflicting_params',
  });
  await expect(submit('custom:other', 'wait=60')).rejects.toMatchObject({ code: 'engine_unavailable' });
  expect(await countJobs()).toBe(1);
});

it('fails jobs without a charge if their custom model is removed or replaced before they run', async () => {
  const { product, install, uninstall, find, submit, findJob, unitsOf } = await openProduct();
  const pause = (engines: readonly string[]) => upsertSettings(product.db, 'jobs', { pausedEngines: engines });
  const expectFailure = async (id: string) => {
    await pause([]);
    await waitUntil(async () => (await findJob(id)).status === 'failed');
    expect(await findJob(id)).toMatchObject({
      errorCode: 'engine_unavailable',
      errorDetail: 'The model of "custom:mine" was removed or replaced. Choose another engine.',
    });
    expect(await unitsOf(id)).toBe(0);
  };
  await install(span);
  expect(await submit('custom:mine', 'wait=60')).toMatchObject({ status: 'completed' });

  await pause(['custom:mine']);
  const removed = await submit('custom:mine', 'respond-async', { quality: '70' });
  expect(await submit('standard', 'wait=60')).toMatchObject({ status: 'completed' });
  expect((await findJob(removed.id)).status).toBe('queued');
  await uninstall();
  await expectFailure(removed.id);
  await waitUntil(async () => (await find('custom:mine')) === undefined);

  await install(span);
  await pause(['custom:mine']);
  const replaced = await submit('custom:mine', 'respond-async', { quality: '71' });
  await uninstall();
  const other = makeCompact(makeRandom(2), { scale: 2, features: 4, blocks: 1 });
  await install(other);
  await expectFailure(replaced.id);
  const next = await submit('custom:mine', 'wait=60', { quality: '72' });
  expect(next).toMatchObject({ status: 'completed' });
  expect((await findJob(next.id)).receipt).toMatchObject({ engine: 'custom:mine', model: sha256(other) });
});
