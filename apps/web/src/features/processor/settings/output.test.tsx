import { screen, waitFor } from '@testing-library/react';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import { makeImage } from '@uprez/testing/make-image';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { chooseOption, press } from '../../../../test/component/admin-page.ts';
import { chooseFiles, chooseImage, findInMain, makeFile, openHome } from '../../../../test/component/images.ts';
import { intercept } from '../../../../test/component/intercept.ts';
import { makeAccount } from '../../../../test/component/open-page.tsx';

const small = { width: 320, height: 240 };

const radio = (name: string) => screen.getByRole('radio', { name });
const process = () => screen.getByRole('button', { name: 'Process image' });

it('selects Auto for every image, and keeps the format that the user chose', async () => {
  const user = await openHome(await makeAccount());
  await chooseImage('harbor.jpg', { ...small, format: 'jpeg', seed: 7 });
  expect(radio('Auto')).toBeChecked();
  await findInMain('Auto uses JPEG for this image.');
  expect(screen.queryByText(/is lossless/)).toBeNull();
  await chooseImage('chart.png', small);
  expect(radio('Auto')).toBeChecked();
  await findInMain('Auto uses PNG for this image.');
  await chooseImage('stamp.webp', { ...small, format: 'webp', alpha: true });
  await findInMain('Auto uses WebP for this image.');
  await user.click(radio('PNG'));
  await chooseImage('harbor.jpg', { ...small, format: 'jpeg', seed: 7 });
  expect(radio('PNG')).toBeChecked();
  // A reload of the page reads it.
  expect(JSON.parse(localStorage.getItem('uprez.settings') ?? '')).toMatchObject({ state: { format: 'png' } });
  await user.click(screen.getByText('More options'));
  await press(user, 'Reset options');
  await waitFor(() => expect(radio('Auto')).toBeChecked());
});

it('shows how many frames of an animation a format keeps', async () => {
  const user = await openHome(await makeAccount());
  const frame = (background: string) =>
    sharp({ create: { ...small, channels: 3, background } })
      .png()
      .toBuffer();
  const frames = await Promise.all(['teal', 'gold', 'navy'].map(frame));
  const flag = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  chooseFiles(makeFile('flag.gif', 'image/gif', flag));
  await findInMain(/320 x 240 · [^·]* · 3 frames/);
  await findInMain('Auto uses WebP for this image.');
  await user.click(radio('PNG'));
  const lost = 'This image is animated. PNG keeps only the first of 3 frames.';
  await waitFor(() => expect(screen.getAllByRole('status').some((one) => one.textContent.includes(lost))).toBe(true));
  await press(user, 'Use WebP to keep all frames');
  await waitFor(() => expect(screen.queryByText(/^This image is animated/)).toBeNull());
  expect(radio('WebP')).toBeChecked();
});

it('shows a used-up quota before the upload, with an engine that is available', async () => {
  intercept(/^\/api\/dashboard\/stats/, async (send) => {
    const stats = (await (await send()).json()) as Dashboard;
    const quota = stats.quota.map((one) => (one.meter === 'ai' ? { ...one, left: 0 } : one));
    return Response.json({ ...stats, quota });
  });
  const user = await openHome(await makeAccount());
  await chooseImage('harbor.jpg', { ...small, format: 'jpeg', seed: 7 });
  await findInMain(
    /You have no AI images left\. Your quota resets on .*\. You can use the standard engine\. You have \d+ standard/,
  );
  expect(process()).toBeDisabled();
  expect(document.body).not.toHaveTextContent(', 0 left');
  await press(user, 'Use standard engine');
  await findInMain(/1 standard image, \d+ left/);
  expect(process()).toBeEnabled();
});

it('shows an error for an image over the size limit before it is drawn or uploaded', async () => {
  await openHome(await makeAccount());
  const vast = await makeImage({ width: 8, height: 8, format: 'jpeg' });
  // The frame header (ISO/IEC 10918-1, B.2.2) has the height and the width after its length and precision.
  const header = vast.indexOf(Buffer.from([0xff, 0xc0]));
  vast.writeUInt16BE(10_000, header + 5);
  vast.writeUInt16BE(11_000, header + 7);
  chooseFiles(makeFile('vast.jpg', 'image/jpeg', vast));
  await findInMain('This image is too large to preview.');
  await findInMain('11,000 x 10,000');
  await findInMain(/The image is 11,000 x 10,000 pixels\. The maximum is 100 megapixels\. Resize it to at most/);
  expect(process()).toBeDisabled();
  expect(screen.queryByRole('link', { name: 'Process on this device instead' })).toBeNull();
  expect(screen.getByRole('main')).not.toHaveTextContent('AI image');
});

it('offers the look only where the image is upscaled with AI by less than 4, and remembers it', async () => {
  const user = await openHome(await makeAccount());
  await chooseImage('harbor.jpg', { ...small, format: 'jpeg', seed: 7 });
  expect(radio('Faithful')).toBeChecked();
  await findInMain('Preserves all the detail in your image.');
  await user.click(radio('Crisp'));
  await findInMain(/may lose the finest detail/i);
  const factor = screen.getByRole('slider', { name: 'Scale factor' });
  factor.focus();
  await user.keyboard('{ArrowRight}{ArrowRight}');
  await waitFor(() => expect(screen.queryByRole('radio', { name: 'Crisp' })).toBeNull());
  await user.keyboard('{ArrowLeft}');
  await waitFor(() => expect(radio('Crisp')).toBeChecked());
  expect(JSON.parse(localStorage.getItem('uprez.settings') ?? '')).toMatchObject({ state: { detail: 'crisp' } });
});

it('sends the edges and the meaning of alpha that were chosen under More options', async () => {
  const account = await makeAccount();
  const bodies: string[] = [];
  const fetch: typeof account.fetch = (url, init) => {
    if (String(url).endsWith('/api/estimate')) bodies.push(String(init?.body));
    return account.fetch(url, init);
  };
  const sent = () => JSON.parse(bodies.at(-1) ?? '{}');
  const user = await openHome({ ...account, fetch });
  await chooseImage('bricks.png', { ...small, alpha: true });
  await waitFor(() => expect(sent()).toMatchObject({ hasAlpha: true }));
  for (const option of ['edges', 'alpha']) expect(sent()).not.toHaveProperty(option);
  await user.click(screen.getByText('More options'));
  await chooseOption(user, 'Edges', 'Seamless');
  await findInMain('For textures that tile. The result tiles, too.');
  await chooseOption(user, 'Alpha channel', 'Data');
  await findInMain("The result is lossless, so quality doesn't apply.");
  await waitFor(() => expect(sent()).toMatchObject({ edges: 'wrap', alpha: 'data' }));
  for (const format of ['JPEG', 'AVIF', 'GIF']) expect(radio(format)).toBeDisabled();
  await chooseOption(user, 'Edges', 'Normal');
  await waitFor(() => expect(sent()).not.toHaveProperty('edges'));
  expect(JSON.parse(localStorage.getItem('uprez.settings') ?? '')).toMatchObject({
    state: { edges: 'clamp', alpha: 'data' },
  });
});
