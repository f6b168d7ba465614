import { createHash } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { attributes, encodeModel, imagePorts, kernel3x3, node, tensor } from '@uprez/models/onnx/onnx-graph';
import { chromiumFlags, findChromium } from './support/chromium.ts';
import { test } from './support/fixtures.ts';
import {
  choose,
  compareImages,
  doneHeading,
  drawPng,
  readReceipt,
  readResult,
  startButton,
} from './support/local-page.ts';

/** WebGPU on SwiftShader, a program that stands in for a graphics processor. */
const gpuFlags = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];
test.use({ launchOptions: { executablePath: findChromium() ?? '', args: [...chromiumFlags, ...gpuFlags] } });

/** Two convolutions that about repeat each pixel. SwiftShader takes a minute for a tile of the real model. */
function makeModel(): Buffer {
  const [features, outputs] = [12, 48];
  let seed = 3;
  const noise = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return (seed / 2 ** 31 - 0.5) * 0.02;
  };
  /** Output `o` is about input `from(o)`. */
  const kernels = (inputs: number, count: number, from: (o: number) => number) =>
    Float32Array.from({ length: count * inputs * 9 }, (_, i) => {
      const [o, input, tap] = [Math.floor(i / (9 * inputs)), Math.floor(i / 9) % inputs, i % 9];
      return noise() + (tap === 4 && input === from(o) ? 1 : 0);
    });
  const nodes = [
    { ...node('Conv', 'features', ['data', 'first']), attribute: kernel3x3 },
    { ...node('Conv', 'samples', ['features', 'second']), attribute: kernel3x3 },
    { ...node('DepthToSpace', 'output', ['samples']), attribute: attributes({ blocksize: 4, mode: 'CRD' }) },
  ];
  const tensors = [
    tensor(
      'first',
      [features, 3, 3, 3],
      kernels(3, features, (o) => o % 3),
    ),
    tensor(
      'second',
      [outputs, features, 3, 3],
      kernels(features, outputs, (o) => Math.floor(o / 16)),
    ),
  ];
  return Buffer.from(encodeModel([{ nodes, tensors }], imagePorts, false));
}

/**
 * What the worker runs first: SwiftShader counts as a device with 15 times the patience, and WebAssembly as a million times
 * slower than it is.
 */
function preferGpu(): void {
  const worker = globalThis as unknown as { GPUAdapterInfo: never; GPUAdapter: { prototype: Adapter } };
  type Adapter = { requestDevice: (options: unknown) => Promise<{ destroy: () => void }> };
  Object.defineProperty((worker.GPUAdapterInfo as { prototype: object }).prototype, 'isFallbackAdapter', {
    get: () => false,
  });
  const now = performance.now.bind(performance);
  let scale = 1_000_000;
  performance.now = () => now() * scale;
  const later = setTimeout;
  const patient = (handler: () => void, ms = 0) => later(handler, 15 * ms);
  globalThis.setTimeout = patient as typeof setTimeout;
  const { prototype } = worker.GPUAdapter;
  const { requestDevice } = prototype;
  prototype.requestDevice = async function request(options) {
    scale = 1;
    const device = await requestDevice.call(this, options);
    addEventListener('message', ({ data }) => data.source?.name === 'broken.png' && device.destroy());
    return device;
  };
}

async function serve(page: Page, model: Buffer, prelude: string): Promise<void> {
  const sha256 = createHash('sha256').update(model).digest('hex');
  const url = `/local-models/${sha256}.onnx`;
  const body = [{ engine: 'photo-fast', url, sha256, sizeBytes: model.length, marksResults: false }];
  await page.route('**/api/local-models', (route) => route.fulfill({ json: body }));
  await page.route(`**${url}`, (route) => route.fulfill({ body: model }));
  await page.route(/process-worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${prelude}\n${await response.text()}` });
  });
}

async function run(page: Page, name: string) {
  await choose(page, await drawPng(3), { name, mimeType: 'image/png' });
  await startButton(page).click({ timeout: 120_000 });
  await expect(doneHeading(page)).toBeVisible({ timeout: 120_000 });
  const finished = { image: await readResult(page), receipt: await readReceipt(page) };
  await page.getByRole('button', { name: 'Start over' }).click();
  return finished;
}

test('runs the model on the graphics processor if it is faster, and without it when it fails', async ({
  site,
  page,
}) => {
  const problems: string[] = [];
  const skipped: string[] = [];
  const refused: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (text.includes('Content Security Policy')) problems.push(text);
    if (text.startsWith('kernels skipped')) skipped.push(text);
    if (text.startsWith('graphics processor skipped')) refused.push(text);
  });
  const model = makeModel();
  await serve(page, model, '');
  await page.goto(`${site.url}/on-this-device`);
  const wasm = await run(page, 'photo.png');
  expect(wasm.receipt.variantReason).toMatch(/^WebAssembly, \d threads?$/);
  expect(wasm.receipt).toMatchObject({ tiles: 0, bands: 1 });
  expect(skipped).toHaveLength(1);

  await page.unrouteAll();
  await serve(page, model, `(${preferGpu})();`);
  await page.reload();
  const gpu = await run(page, 'photo.png');
  expect(refused).toEqual([]);
  expect(gpu.receipt).toMatchObject({
    variantReason: 'WebGPU',
    device: 'browser',
    notes: [expect.any(String)],
    strips: 0,
  });
  expect(await compareImages(gpu.image, wasm.image)).toBeLessThanOrEqual(2);

  const broken = await run(page, 'broken.png');
  expect(broken.receipt.notes).toContain(
    'The graphics processor stopped during the run, so WebAssembly processed the rest.',
  );
  expect(broken.receipt).toMatchObject({ strips: 0 });
  expect(await compareImages(broken.image, wasm.image)).toBeLessThanOrEqual(2);
  expect(problems).toEqual([]);
});
