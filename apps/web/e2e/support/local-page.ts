import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import sharp from 'sharp';

const [width, height] = [150, 110];

/**
 * Creates an image of 150 x 110 pixels with smooth areas, edges, noise, and saturated colors. With 4 `channels`, it has
 * transparent areas.
 */
export async function drawPng(channels: 3 | 4): Promise<Buffer> {
  const samples = Buffer.alloc(width * height * channels);
  let seed = 7;
  const noise = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return (seed / 2 ** 31 - 0.5) * 30;
  };
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const isEdge = (x >> 4) % 3 === 0 && y > 40;
    const color = isEdge ? [220, 20, 40] : [x + noise(), 90 + y + noise(), 255 - x + noise()];
    color.forEach((value, c) => {
      samples[i * channels + c] = Math.max(0, Math.min(255, Math.round(value)));
    });
    if (channels === 4) samples[i * 4 + 3] = x < 60 ? 255 : y < 50 ? 0 : 255;
  }
  return sharp(samples, { raw: { width, height, channels } }).png().toBuffer();
}

/** Returns the largest difference between two images, 0-255. Color differences are weighted by opacity. */
export async function compareImages(one: Buffer, other: Buffer): Promise<number> {
  const read = (file: Buffer) => sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const [a, b] = [await read(one), await read(other)];
  expect({ ...a.info }).toEqual({ ...b.info });
  let most = 0;
  for (let i = 0; i < a.data.length; i++) {
    const alpha = i % 4 === 3 ? 1 : (a.data[i | 3] as number) / 255;
    most = Math.max(most, Math.abs((a.data[i] as number) - (b.data[i] as number)) * alpha);
  }
  return most;
}

export const doneHeading = (page: Page) => page.getByRole('heading', { name: 'Done', exact: true });
export const startButton = (page: Page) => page.getByRole('button', { name: 'Process on this device' });

export const choose = (page: Page, buffer: Buffer, { name, mimeType } = { name: 'photo.png', mimeType: 'image/png' }) =>
  page.locator('input[type=file]').first().setInputFiles({ name, mimeType, buffer });

/** Returns the processed file that the page offers for download. */
export async function readResult(page: Page): Promise<Buffer> {
  const link = page.getByRole('link', { name: 'Download', exact: true });
  const url = await link.getAttribute('href');
  const text = await page.evaluate(async (address) => {
    const bytes = new Uint8Array(await (await fetch(address ?? '')).arrayBuffer());
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  }, url);
  return Buffer.from(text, 'latin1');
}

/** Downloads and returns the receipt of the processed image. */
export async function readReceipt(page: Page): Promise<Receipt> {
  await page.getByRole('button', { name: 'Receipt', exact: true }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as JSON' }).click();
  const receipt = JSON.parse(await readFile(await (await download).path(), 'utf8'));
  await page.keyboard.press('Escape');
  return receipt;
}
