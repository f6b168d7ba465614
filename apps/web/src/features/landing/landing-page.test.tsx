import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { intercept } from '../../../test/component/intercept.ts';
import { makeAccount, openPage, readPath } from '../../../test/component/open-page.tsx';

it('shows features, plans, and the API to visitors', async () => {
  await openPage('/');
  for (const name of ['What you can count on', 'Plans', 'The API in one request'])
    await screen.findByRole('heading', { name, level: 2 });
  await waitFor(() => expect(document.getElementById('api')).toHaveTextContent(`${window.location.origin}/v1/process`));
  expect(screen.queryByText('99.9', { exact: false })).toBeNull();
});

it('shows only features to users', async () => {
  const user = await openPage('/', await makeAccount());
  await screen.findByRole('heading', { name: 'What you can count on' });
  await screen.findByText('Welcome, Ada');
  expect(screen.queryByRole('heading', { name: /^Plans$|^The API/ })).toBeNull();
  await user.click(within(screen.getByRole('contentinfo')).getByRole('link', { name: 'API' }));
  await waitFor(() => expect(readPath()).toBe('/dashboard?tab=api-keys'));
});

it('hides the number of images while it is small', async () => {
  let isRead = false;
  intercept(/^\/api\/public\/stats/, async (send) => {
    const response = await send();
    isRead = true;
    return response;
  });
  await openPage('/');
  await screen.findByRole('heading', { name: 'What you can count on' });
  await waitFor(() => expect(isRead).toBe(true));
  expect(screen.queryByRole('region', { name: 'By the numbers' })).toBeNull();
});

it('shows the number of images when it is returned', async () => {
  const told = { days: 30, imagesMade: 12_000, medianProcessingTime: 1_400 };
  intercept(/^\/api\/public\/stats/, async () => Response.json(told));
  await openPage('/');
  const numbers = within(await screen.findByRole('region', { name: 'By the numbers' }));
  numbers.getByText('12,000');
  expect(numbers.queryByText('megapixels processed')).toBeNull();
});

it('shows an error when the sign-out fails', async () => {
  intercept(/^\/api\/logout$/, async () => new Response('broken', { status: 500 }));
  const user = await openPage('/pricing', await makeAccount());
  await user.click(await screen.findByRole('button', { name: 'Sign Out' }));
  await screen.findByText('Logout failed');
  screen.getByText('Welcome, Ada');
});
