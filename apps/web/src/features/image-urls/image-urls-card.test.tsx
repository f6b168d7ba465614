import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { fill, makeAccount, openPage, readTraces, site } from '../../../test/component/open-page.tsx';

const tab = '/dashboard?tab=api-keys';
const findCard = () => screen.findByRole('region', { name: 'Image URLs' });

/** Closes the dialog with a new secret, and returns the secret. */
async function takeSecret(user: UserEvent): Promise<string> {
  const panel = await screen.findByRole('dialog', { name: 'Save your secret' });
  const shown = panel.querySelector('code')?.textContent ?? '';
  await user.keyboard('{Escape}');
  await user.click(within(panel).getByRole('button', { name: "I've saved this secret" }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  return shown;
}

it('is missing on plans without the API', async () => {
  await openPage(tab, await makeAccount());
  await screen.findByRole('region', { name: 'Get live API keys' });
  expect(screen.queryByRole('region', { name: 'Image URLs' })).toBeNull();
});

it('shows errors at the fields, shows the secret once, and signs a sample URL that the API accepts', async () => {
  const user = await openPage(tab, await makeAccount({ tier: 'api_basic' }));
  const card = within(await findCard());
  const hosts = await card.findByLabelText('Allowed hosts');
  const save = card.getByRole('button', { name: 'Save' });
  expect(save).toBeDisabled();
  await fill(user, hosts, 'https://images.example.com');
  await user.click(card.getByRole('switch', { name: 'Enable image URLs' }));
  await user.click(save);
  await card.findByText(/Each host must be a name such as images\.example\.com/);
  await fill(user, hosts, 'images.example.com');
  await user.click(save);
  const secret = await takeSecret(user);
  expect(secret).toMatch(/^upz_img_[\w-]{43}$/);
  expect(await card.findByLabelText('Original image')).toHaveValue('https://images.example.com/photo.jpg');
  const options = card.getByLabelText('Options');
  await fill(user, options, 'width:0');
  await user.click(card.getByRole('button', { name: 'Sign URL' }));
  await card.findByText(/must be a whole number/);
  await fill(user, options, 'width:640,exp:1500000000');
  await user.click(card.getByRole('button', { name: 'Sign URL' }));
  const url = (await card.findByRole('link', { name: 'Open image' })).getAttribute('href') ?? '';
  const answer = await fetch(site.url + new URL(url).pathname);
  expect([answer.status, answer.headers.get('x-error-code')]).toEqual([403, 'image_url_expired']);
  expect(readTraces()).not.toContain(secret);
});

it('says that another host was saved, and suggests a URL of it', async () => {
  const account = await makeAccount({ tier: 'api_basic' });
  await account.client.updateImageUrls({ body: { isEnabled: true, hosts: ['images.example.com'] } });
  const user = await openPage(tab, account);
  const card = within(await findCard());
  await fill(user, await card.findByLabelText('Allowed hosts'), '*.example.org');
  await user.click(card.getByRole('button', { name: 'Save' }));
  await screen.findByText('Image URLs updated');
  expect(await card.findByLabelText('Original image')).toHaveValue('https://images.example.org/photo.jpg');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('rotates the secret', async () => {
  const account = await makeAccount({ tier: 'api_basic' });
  const { data } = await account.client.updateImageUrls({ body: { isEnabled: true, hosts: ['images.example.com'] } });
  const user = await openPage(tab, account);
  const card = within(await findCard());
  await user.click(await card.findByRole('button', { name: 'Rotate secret' }));
  const dialog = await screen.findByRole('dialog', { name: 'Rotate the secret of image URLs?' });
  await user.click(within(dialog).getByRole('button', { name: 'Rotate secret' }));
  const secret = await takeSecret(user);
  expect(secret).toMatch(/^upz_img_/);
  expect(secret).not.toBe(data.secret);
  await card.findByText('Previous secret valid until');
});
