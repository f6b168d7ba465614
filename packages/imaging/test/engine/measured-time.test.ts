import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { estimateSeconds } from '../../src/pipeline/estimate.ts';
import { encodeAs } from '../support/image-files.ts';
import { makeImage, makePhoto } from '../support/images.ts';
import { pipelineFor, runJob } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

const size = { width: 768, height: 512 };
const files = {
  sharp: await encodeAs(makePhoto(size), 'png'),
  soft: await encodeAs(
    makeImage({ ...size, channels: 3 }, (x, y) =>
      [0, 40, 80].map((c) => 110 + c / 2 + 90 * Math.sin(x / 9) * Math.cos(y / 11)),
    ),
    'png',
  ),
};

let network: Network;
beforeAll(async () => {
  network = await openStubNetwork();
});
afterAll(() => network.close());

/** Runs an image whose time without detail is short, and whose time at full size is over a minute. */
async function run(kind: keyof typeof files, maxSeconds: number) {
  const pipeline = await pipelineFor(files[kind], { engine: 'photo-fast', scaleFactor: 2 });
  const { estimate } = pipeline;
  const slow = { ...pipeline, estimate: { ...estimate, seconds: 100, networkSeconds: 90 } };
  expect(estimateSeconds(slow)).toBeLessThan(40);
  return runJob(files[kind], slow, { maxSeconds, networks: { 'photo-fast': network } });
}

it('rejects a sharp image that takes too long, when its detail is known', async () => {
  await expect(run('sharp', 60)).rejects.toMatchObject({
    code: 'job_too_long',
    message: expect.stringContaining('because the image is sharp'),
    meta: { limit: 60, value: 100 },
  });
  expect((await run('sharp', 100)).report).toMatchObject({ workingScale: 1 });
});

it('processes a soft image within the same limit', async () => {
  expect((await run('soft', 60)).report).toMatchObject({ workingScale: 0.5 });
});
