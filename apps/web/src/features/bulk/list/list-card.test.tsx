import { fireEvent, screen, waitFor } from '@testing-library/react';
import { makeImage } from '@uprez/testing/make-image';
import { expect, it } from 'vitest';
import { decodeImages, findInMain, makeFile } from '../../../../test/component/images.ts';
import { intercept } from '../../../../test/component/intercept.ts';
import { db, makeAccount, openPage } from '../../../../test/component/open-page.tsx';

// Equal ones in a batch are free.
const images = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => makeImage({ width: 64, height: 64, seed })));
const files = (count: number) =>
  images.slice(0, count).map((image, index) => makeFile(`photo-${index}.png`, 'image/png', image));

const choose = async (label: string, chosen: File[]) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { files: chosen } });

it('offers an email about the end of a batch of more than 10 minutes', async () => {
  const account = await makeAccount({ tier: 'pro' });
  intercept(/^\/api\/engines/, async (send) => {
    const engines = (await (await send()).json()) as object[];
    return Response.json(engines.map((engine) => ({ ...engine, pixelsPerSecond: 150 })));
  });
  decodeImages();
  const user = await openPage('/dashboard', account);
  await user.click(await screen.findByRole('combobox', { name: 'Engine' }));
  await user.click(await screen.findByRole('option', { name: /^photo-fast/ }));
  const offer = () => screen.queryByLabelText('Email me when a batch that takes more than 10 minutes is done');
  await choose('Choose images', files(1));
  await findInMain(/Uses 1 AI image · up to 2 min/);
  expect(offer()).toBeNull();
  await choose('Image files', files(8));
  await waitFor(() => expect(offer()).not.toBeNull());
  expect(offer()).not.toBeChecked();
  await user.click(offer() as HTMLElement);
  await waitFor(() => expect(offer()).toBeChecked());
  const saved = db.selectFrom('users').select('batchEmails').where('id', '=', account.user.id);
  await waitFor(async () => expect(await saved.executeTakeFirst()).toEqual({ batchEmails: true }));
});
