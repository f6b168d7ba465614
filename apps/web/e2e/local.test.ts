import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { EngineName } from '@uprez/contracts/policy/images/engines';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { aiSourceType } from '@uprez/imaging/engine/metadata/xmp/ai-mark';
import { runPipeline } from '@uprez/imaging/engine/run-pipeline';
import { openNetwork } from '@uprez/imaging/engine/upscaler/network';
import { inspect } from '@uprez/imaging/inspect/inspect';
import { makePipeline } from '@uprez/imaging/pipeline/make-pipeline';
import { pullTestModels } from '@uprez/testing/products/start-test-product';
import sharp from 'sharp';
import { findViolations } from './support/find-violations.ts';
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

/** The result of the engine of the server, in FP32. */
async function runOnServer(source: Buffer, engine: EngineName, scaleFactor: number): Promise<Buffer> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'uprez-local-'));
  const modelsDir = await pullTestModels();
  const network = await openNetwork(await readFile(path.join(modelsDir, 'photo-fast.onnx')), 2);
  try {
    await writeFile(path.join(dir, 'source'), source);
    const outcome = makePipeline({
      recipe: { ...recipeDefaults, engine, scaleFactor, format: 'png' },
      inspection: await inspect(source),
      limits: { maxOutputPixels: 1e9, maxJobSeconds: 1e9, autoEngine: 'photo-fast' },
    });
    if (!outcome.ok) throw new Error(outcome.rejection.detail);
    await runPipeline({
      ...{ pipeline: outcome.pipeline, dir, networks: { 'photo-fast': { ...network, variant: 'fp32' } } },
      ...{ signal: new AbortController().signal, onProgress: () => undefined },
    });
    return await readFile(path.join(dir, 'result'));
  } finally {
    await network.close();
    await rm(dir, { recursive: true });
  }
}

/** Starts to record every request of a page and its workers. */
function watchRequests(page: Page) {
  const requests: { method: string; url: string; bytes: number }[] = [];
  page.context().on('request', (request) => {
    const bytes = request.postDataBuffer()?.length ?? 0;
    requests.push({ method: request.method(), url: request.url(), bytes });
  });
  return requests;
}

test('processes an image like the server, without sending it', async ({ site, page }) => {
  const requests = watchRequests(page);
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  await page.goto(`${site.url}/on-this-device`);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const opaque = await drawPng(3);
  await choose(page, opaque);
  await expect(
    page.getByText(/^Measured on this device with \d processor threads?\. Your browser doesn't offer WebGPU/),
  ).toBeVisible({
    timeout: 60_000,
  });
  await startButton(page).click();
  await expect(doneHeading(page)).toBeVisible({ timeout: 60_000 });
  const result = await readResult(page);
  expect(await compareImages(result, await runOnServer(opaque, 'photo-fast', 2))).toBeLessThanOrEqual(2);
  expect(result.includes(aiSourceType)).toBe(true);
  const receipt = await readReceipt(page);
  expect(receipt).toMatchObject({ engine: 'photo-fast', device: 'browser', variant: 'fp32', width: 300, height: 220 });
  expect(receipt).toMatchObject({ tiles: 0, tile: null, bands: 1, strip: { rows: 16 } });
  expect(receipt.variantReason).toMatch(/^WebAssembly, \d threads?$/);
  expect(await findViolations(page)).toEqual([]);
  expect(warnings.filter((text) => text.startsWith('kernels skipped'))).toEqual([]);

  expect(requests.some(({ url }) => /\/local-models\/[0-9a-f]{64}\.onnx$/.test(url))).toBe(true);
  expect(requests.filter(({ method, bytes }) => method !== 'GET' || bytes > 0)).toEqual([]);
});

test('shows the colors that a file describes without a profile', async ({ site, page }) => {
  const gray = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#373737' } })
    .png()
    .toBuffer();
  // A chunk `gAMA` of linear light after the header.
  const linear = Buffer.from('0000000467414d41000186a031e8965f', 'hex');
  await page.goto(`${site.url}/on-this-device`);
  await choose(page, Buffer.concat([gray.subarray(0, 33), linear, gray.subarray(33)]));
  await startButton(page).click();
  await expect(doneHeading(page)).toBeVisible({ timeout: 60_000 });
  const [light = 0] = await sharp(await readResult(page))
    .raw()
    .toBuffer();
  expect(Math.abs(light - 128)).toBeLessThanOrEqual(4);
});

test('takes over an image from the home page, and remembers where it was processed', async ({ site, page }) => {
  const requests = watchRequests(page);
  await page.goto(site.url);
  const turned = await sharp(await drawPng(3))
    .jpeg({ quality: 92 })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  await choose(page, turned, { name: 'turned.jpg', mimeType: 'image/jpeg' });
  await page.getByRole('link', { name: 'Process on this device instead' }).click();
  await expect(page.getByText('110 x 150 ·')).toBeVisible();
  await page.getByRole('combobox', { name: 'Engine' }).click();
  await page.getByRole('option', { name: /^standard/ }).click();
  await page.getByRole('radio', { name: '3x' }).check();
  await page.getByRole('radio', { name: 'PNG' }).check();
  await startButton(page).click();
  await expect(doneHeading(page)).toBeVisible();
  const plain = await readResult(page);
  expect(await compareImages(plain, await runOnServer(turned, 'standard', 3))).toBeLessThanOrEqual(2);
  expect(plain.includes(aiSourceType)).toBe(false);
  expect(await readReceipt(page)).toMatchObject({ engine: 'standard', device: 'browser', model: null, height: 450 });

  // Transparent areas: kept by WebP, filled in JPEG.
  const transparent = await drawPng(4);
  await page.getByRole('button', { name: 'Start over' }).click();
  await choose(page, transparent);
  for (const [format, hasAlpha] of [
    ['webp', true],
    ['jpeg', false],
  ] as const) {
    await page.getByRole('radio', { name: { webp: 'WebP', jpeg: 'JPEG' }[format] }).check();
    await startButton(page).click();
    await expect(doneHeading(page)).toBeVisible();
    const image = sharp(await readResult(page));
    expect(await image.metadata()).toMatchObject({ format, hasAlpha, width: 450, height: 330 });
    const corner = await image.extract({ left: 400, top: 20, width: 1, height: 1 }).raw().toBuffer();
    expect(hasAlpha ? corner[3] : corner[1]).toBe(hasAlpha ? 0 : 255);
    await page.getByRole('button', { name: 'Change options' }).click();
  }

  await page.goto(site.url);
  await page.getByRole('button', { name: 'Remove image' }).click();
  await choose(page, transparent);
  await page.waitForURL('**/on-this-device');
  await page.getByRole('link', { name: 'Process on our servers instead' }).click();
  await expect(page.getByRole('button', { name: 'Process image' })).toBeVisible();
  await choose(page, await drawPng(3));
  await expect(page.getByRole('button', { name: 'Process image' })).toBeVisible();
  expect(page.url()).toBe(`${site.url}/`);
  // The home page asks for estimates, with the size of the image.
  const sent = requests.filter(({ method, bytes }) => method !== 'GET' || bytes > 0);
  expect(sent.filter(({ url, bytes }) => !url.endsWith('/api/estimate') || bytes > 300)).toEqual([]);
});

test('cancels a run at once, and starts another', async ({ site, page }) => {
  await page.goto(`${site.url}/on-this-device`);
  const transparent = await drawPng(4);
  await choose(page, await sharp(transparent).resize(900, 700).png().toBuffer());
  await page.getByRole('radio', { name: '4x' }).check();
  await startButton(page).click({ timeout: 60_000 });
  const closed = page.workers().map((worker) => worker.waitForEvent('close'));
  expect(closed.length).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await Promise.all(closed);
  await expect(startButton(page)).toBeVisible();
  await page.getByRole('button', { name: 'Remove image' }).click();
  await choose(page, transparent);
  await page.getByRole('radio', { name: 'PNG' }).check();
  await startButton(page).click({ timeout: 60_000 });
  await expect(doneHeading(page)).toBeVisible({ timeout: 60_000 });
  expect(
    await compareImages(await readResult(page), await runOnServer(transparent, 'photo-fast', 4)),
  ).toBeLessThanOrEqual(2);
});

test('says before a run what a device cannot do, and offers the server', async ({ site, page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'deviceMemory', { value: 0.5 });
    if (location.hash === '#old') WebAssembly.validate = () => false;
  });
  await page.goto(`${site.url}/on-this-device`);
  await choose(page, await drawPng(3));
  await expect(page.getByText(/^This needs about \d+ MB of memory, and this device allows about 20\d MB\./)).toHaveText(
    /Use the standard engine, or process the image on our servers\. Process on our servers instead$/,
  );
  await expect(startButton(page)).toBeDisabled();
  await page.goto(`${site.url}/on-this-device#old`);
  await page.reload();
  await expect(page.getByText("This browser can't run AI models")).toBeVisible();
  await page.getByRole('button', { name: 'Remove image' }).click();
  await choose(page, Buffer.from('not an image'), { name: 'photo.heic', mimeType: 'image/heic' });
  await expect(page.getByText("Your browser can't open this image")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Process on our servers instead' })).toHaveAttribute('href', '/');
});

test('says why the model is not ready, and tries again', async ({ site, page }) => {
  const models = '**/local-models/*.onnx';
  await page.route(models, (route) => route.abort());
  await page.goto(`${site.url}/on-this-device`);
  await choose(page, Buffer.from('text'), { name: 'notes.txt', mimeType: 'text/plain' });
  await expect(page.getByText("This file isn't an image. Choose a JPEG, PNG, or WebP image.")).toBeVisible();
  await choose(page, await drawPng(3));
  await expect(page.getByText("The AI model couldn't be downloaded. Check your connection")).toBeVisible();
  await expect(startButton(page)).toBeDisabled();
  await page.unroute(models);

  await page.route(models, async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    body[1_000] = (body[1_000] as number) ^ 1;
    await route.fulfill({ response, body });
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText("The downloaded AI model is damaged, so it wasn't used.")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Process on our servers instead' })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.unroute(models);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(startButton(page)).toBeEnabled({ timeout: 60_000 });
});

test('says that memory ran out, and keeps the image', async ({ site, page }) => {
  await page.route(/process-worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    const prelude =
      'OffscreenCanvas = class { constructor() { throw new RangeError("Array buffer allocation failed"); } };';
    await route.fulfill({ response, body: `${prelude}\n${await response.text()}` });
  });
  await page.goto(`${site.url}/on-this-device`);
  await choose(page, await drawPng(3));
  await startButton(page).click({ timeout: 60_000 });
  await expect(page.getByText("Your device doesn't have enough free memory.")).toBeVisible();
  await expect(page.getByRole('img', { name: 'Preview of photo.png' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Process on our servers instead' }).first()).toBeVisible();
  await expect(startButton(page)).toBeEnabled({ timeout: 60_000 });
});
