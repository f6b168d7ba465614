import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { makeImage } from '@uprez/testing/make-image';
import { expect, it } from 'vitest';
import { press } from '../../../../test/component/admin-page.ts';
import { chooseFiles, findInMain, makeFile, openHome } from '../../../../test/component/images.ts';
import { intercept } from '../../../../test/component/intercept.ts';
import { fill, makeAccount, readPath } from '../../../../test/component/open-page.tsx';

const megabyte = 1024 * 1024;

it('shows why a file is rejected', async () => {
  await openHome();
  const large = makeFile('large.png', 'image/png');
  Object.defineProperty(large, 'size', { value: 50 * megabyte + 1 });
  chooseFiles(large);
  await screen.findByText('This file is too large. Each image can be up to 50 MB.');
  chooseFiles(makeFile('notes.txt', 'text/plain', 'x'));
  await screen.findByText(/^This file isn't a supported image\. Use JPEG, /);
  chooseFiles(makeFile('empty.jpg', 'image/jpeg'));
  await screen.findByText('This file is empty (0 bytes). Choose another file.');
  expect(screen.queryByText(/^This file isn't a supported image/)).toBeNull();
});

it('opens the only image of the dropped files, and lists those that are not supported', async () => {
  await openHome();
  const photo = makeFile('photo-1.png', 'image/png', await makeImage({ width: 64, height: 64, seed: 1 }));
  const files = [photo, makeFile('notes.txt', 'text/plain', 'notes')];
  fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], files } });
  await screen.findByRole('img', { name: 'Preview of photo-1.png' });
  const rejected = (await screen.findByText('notes.txt')).closest('[role="alert"]') as HTMLElement;
  within(rejected).getByText(/isn't a supported image/);
});

it('shows an error at the field for a URL that is not public', async () => {
  const user = await openHome(await makeAccount());
  await press(user, 'or use an image URL');
  const field = await screen.findByLabelText('Image URL');
  const open = async (url: string) => {
    await fill(user, field, url);
    await press(user, 'Open');
  };
  await open('harbor');
  await screen.findByText('Enter a URL that starts with https://');
  await fill(user, field, '');
  await open('http://example.com/harbor.jpg');
  await screen.findByText('Enter a URL that starts with https://');
  await open('https://127.0.0.1/harbor.jpg');
  await screen.findByText('The URL must be on the public internet.');
  await waitFor(() => expect(field).toHaveFocus());
  expect(field).toHaveAttribute('aria-invalid', 'true');
  expect(field).toHaveValue('https://127.0.0.1/harbor.jpg');
  expect(field).toHaveAttribute('aria-describedby');
});

it('opens a sample in the processor, with what a free account includes', async () => {
  const sample = makeFile('flower.jpg', 'image/jpeg', await makeImage({ width: 128, height: 96, format: 'jpeg' }));
  // A file of the page, which is none of the gateway.
  intercept(/flower\.jpg$/, async () => Object.assign(new Response(), { blob: async () => sample }));
  const user = await openHome();
  await user.click(screen.getByRole('radio', { name: 'Cat' }));
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('radio', { name: 'Flower' })).toBeChecked();
  expect(screen.getAllByRole('figure')[0]).toHaveTextContent('128 x 96 -> 512 x 384');
  await press(user, 'Try this sample');
  await screen.findByText('flower.jpg');
  await screen.findByRole('img', { name: 'Preview of flower.jpg' });
  await screen.findByRole('slider', { name: 'Scale factor' });
  await findInMain(
    'A free account includes up to 4x with AI and 8x without AI. Upgrade to Pro for up to 8x with AI ($7 per month).',
  );
  await user.click(screen.getByRole('link', { name: 'View plans' }));
  await waitFor(() => expect(readPath()).toBe('/pricing'));
});
