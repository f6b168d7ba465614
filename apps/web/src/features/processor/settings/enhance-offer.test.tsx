import { screen, waitFor } from '@testing-library/react';
import sharp from 'sharp';
import { expect, it, vi } from 'vitest';
import { chooseOption, press } from '../../../../test/component/admin-page.ts';
import { chooseFiles, chooseImage, findInMain, makeFile, openHome } from '../../../../test/component/images.ts';
import { makeAccount } from '../../../../test/component/open-page.tsx';

const small = { width: 320, height: 240 };
const offer = 'Enhance at 1x';

/**
 * Replaces the worker that measures images by one that finds the same damage in all of them. Returns the names of the
 * images that it measured. They may be measured twice, because React mounts components twice in development.
 */
function stubDamage(damage: 'noise' | 'softness' | null) {
  const names = new Set<string>();
  class DamageWorker {
    onmessage = (_: MessageEvent) => {};
    postMessage(file: File): void {
      names.add(file.name);
      queueMicrotask(() => this.onmessage(new MessageEvent('message', { data: damage })));
    }
    terminate(): void {}
  }
  vi.stubGlobal('Worker', DamageWorker);
  return names;
}

const findOffer = () => screen.findByRole('button', { name: offer });
const expectNoOffer = () => expect(screen.queryByRole('button', { name: offer })).toBeNull();

it('offers to enhance a noisy image at its own size with the AI engine of the site', async () => {
  const names = stubDamage('noise');
  const user = await openHome(await makeAccount());
  await chooseImage('harbor.jpg', { ...small, format: 'jpeg' });
  await findOffer();
  await findInMain('This image looks noisy.');
  await press(user, offer);
  await findInMain('320 x 240 -> 320 x 240');
  await findInMain('1 AI image');
  expectNoOffer();
  expect(JSON.parse(localStorage.getItem('uprez.settings') ?? '')).toMatchObject({
    state: { scaleFactor: 1, engine: 'photo-fast' },
  });
  expect([...names]).toEqual(['harbor.jpg']);
});

it('dismisses the offer for an image, and shows it again for the next one', async () => {
  stubDamage('softness');
  const user = await openHome(await makeAccount());
  await chooseImage('harbor.jpg', { ...small, format: 'jpeg' });
  await findInMain('This image looks blurry.');
  await press(user, 'Dismiss');
  await waitFor(expectNoOffer);
  // Options that hide the offer don't bring it back.
  await chooseOption(user, 'Engine', 'nearest');
  await chooseOption(user, 'Engine', 'Auto');
  expectNoOffer();
  await chooseImage('tower.jpg', { ...small, format: 'jpeg', seed: 7 });
  await findOffer();
});

it('offers nothing for undamaged images, animations, and pixel art', async () => {
  const names = stubDamage(null);
  const user = await openHome(await makeAccount());
  await chooseImage('harbor.jpg', { ...small, format: 'jpeg' });
  await waitFor(() => expect([...names]).toEqual(['harbor.jpg']));
  expectNoOffer();
  const found = stubDamage('noise');
  await chooseImage('tower.jpg', { ...small, format: 'jpeg', seed: 7 });
  await findOffer();
  await chooseOption(user, 'Engine', 'nearest');
  expectNoOffer();
  const frame = (background: string) =>
    sharp({ create: { ...small, channels: 3, background } })
      .png()
      .toBuffer();
  await chooseOption(user, 'Engine', 'Auto');
  await findOffer();
  const flag = await sharp(await Promise.all(['teal', 'gold'].map(frame)), { join: { animated: true } })
    .gif()
    .toBuffer();
  chooseFiles(makeFile('flag.gif', 'image/gif', flag));
  await findInMain(/2 frames/);
  expectNoOffer();
  expect([...found]).toEqual(['tower.jpg']);
});

it('offers nothing for formats that the browser cannot decode', async () => {
  const names = stubDamage('noise');
  await openHome(await makeAccount());
  const scan = await sharp({ create: { ...small, channels: 3, background: 'teal' } })
    .tiff()
    .toBuffer();
  chooseFiles(makeFile('scan.tif', 'image/tiff', scan));
  await findInMain(/Your browser can't show this format/);
  expectNoOffer();
  expect([...names]).toEqual([]);
});
