import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadGenericProfile } from '@uprez/imaging/engine/color/generic-profile';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { expect, it, onTestFinished } from 'vitest';
import { openChaos } from './chaos.ts';

it('converts results to CMYK with the profiles of a folder, and rejects other names without a job', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uprez-profiles-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'Press_v3.ICC'), await loadGenericProfile(), { mode: 0o600 });
  await writeFile(join(folder, 'screen.icc'), 'not for print');
  const { product, user, close } = await openChaos({
    services: ['gateway', 'worker'],
    env: { PROFILES_DIR: folder },
  });
  onTestFinished(close);
  await expect
    .poll(async () => (await user.client.listPrintProfiles()).data, { timeout: 20_000 })
    .toEqual([
      { name: 'generic', description: 'Generic CMYK' },
      { name: 'press_v3', description: 'Chemical proof' },
    ]);
  const image = await makeImage({ width: 32, height: 24 });
  const process = (printProfile: string) => {
    const options = { engine: 'standard', scaleFactor: '2', format: 'tiff', printProfile };
    return user.client.processImage({ body: imageForm(image, options), headers: { prefer: 'wait=60' } });
  };
  for (const name of ['generic', 'press_v3']) {
    const { data: job } = await process(name);
    expect(job).toMatchObject({ status: 'completed', format: 'tiff', recipe: { printProfile: name } });
    const { receipt } = await product.db
      .selectFrom('jobs')
      .select('receipt')
      .where('id', '=', job.id)
      .executeTakeFirstOrThrow();
    expect(receipt?.print).toMatchObject({ profile: name, description: 'Chemical proof' });
    expect(receipt?.print?.maxInk).toBeGreaterThan(10);
  }
  await expect(process('screen')).rejects.toMatchObject({ code: 'invalid_parameter' });
  expect((await user.client.listJobs({})).data).toHaveLength(2);
});
