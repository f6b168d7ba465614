import { screen, waitFor, within } from '@testing-library/react';
import { countImages } from '@uprez/contracts/policy/plans/meters';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import { expect, it } from 'vitest';
import { intercept } from '../../../test/component/intercept.ts';
import { makeAccount, openPage, readPath } from '../../../test/component/open-page.tsx';

const { included } = currentPlans.free;

const findStat = async (label: string) => within((await screen.findByText(label)).parentElement as HTMLElement);
/** Changes values in the counters of the account. */
const changeStats = (values: Partial<Dashboard>) =>
  intercept(/^\/api\/dashboard\/stats/, async (send) => {
    const stats = (await (await send()).json()) as Dashboard;
    return Response.json({ ...stats, ...values });
  });

it('shows empty states for a new account', async () => {
  const user = await openPage('/dashboard?tab=activity', await makeAccount());
  await screen.findByText('No images yet');
  await user.click(screen.getByRole('button', { name: 'Process an image' }));
  await screen.findByRole('tab', { name: 'Image Processor', selected: true });
  expect(readPath()).toBe('/dashboard');
  for (const label of ['Images processed', 'API calls']) (await findStat(label)).getByText('0');
  expect(screen.queryByText(/previous period/)).toBeNull();
  (await findStat('Average time')).getByText('-');
  (await findStat('Storage')).getByText('0 Bytes');
  (await findStat('Storage')).getByText(/^of 1 GB. Includes results/);
  const tabs = within(screen.getByRole('tablist', { name: 'Dashboard' })).getAllByRole('tab');
  expect(tabs.map(({ textContent }) => textContent)).toEqual(['Image Processor', 'Recent Activity', 'API Keys']);
  screen.getByRole('region', { name: 'Account Management' });
});

it('lists the units of the plan in the credit history, and the usage of a period', async () => {
  const user = await openPage('/dashboard', await makeAccount());
  await user.click(await screen.findByRole('link', { name: 'View credit history' }));
  const table = await screen.findByRole('table', { name: 'Credit history, newest first' });
  const [, ...rows] = within(table).getAllByRole('row');
  const texts = rows.map(({ textContent }) => textContent);
  expect(texts).toHaveLength(2);
  for (const [images, change] of [
    [countImages(included.ai, 'ai'), '+10'],
    [countImages(included.standard, 'standard'), '+100'],
  ] as const)
    expect(texts.filter((text) => text.includes(images) && text.includes(change))).not.toEqual([]);
  await user.click(screen.getByRole('radio', { name: 'Usage' }));
  await screen.findByText('No usage in the last 30 days');
  await user.click(screen.getByRole('radio', { name: '7 days' }));
  await screen.findByText('No usage in the last 7 days');
  expect(readPath()).toBe('/dashboard?tab=activity&view=usage&period=7');
});

it('opens the tab, view, and period of the URL', async () => {
  await openPage('/dashboard?tab=activity&view=usage&period=7', await makeAccount());
  await screen.findByText('No usage in the last 7 days');
  screen.getByRole('tab', { name: 'Recent Activity', selected: true });
  expect(screen.getByRole('radio', { name: '7 days' })).toBeChecked();
  expect(screen.getByRole('radio', { name: 'Usage' })).toBeChecked();
});

it('compares values with the previous period', async () => {
  changeStats({
    imagesProcessed: 37,
    trends: {
      imagesProcessed: { current: 37, previous: 33, change: 12.1 },
      avgProcessingTime: { current: 3_000, previous: 4_000, change: -25 },
    },
  });
  const user = await openPage('/dashboard', await makeAccount());
  const trend = (await findStat('Images processed')).getByRole('link', { name: '+12.1% from 33' });
  (await findStat('Average time')).getByText('-25% from 4 s');
  expect((await findStat('API calls')).queryByRole('link')).toBeNull();
  trend.focus();
  await screen.findByRole('tooltip', { name: /37 this month, 33 in/ });
  await user.click(trend);
  await waitFor(() => expect(readPath()).toBe('/dashboard?tab=activity&view=usage'));
});

const resetsAt = '2099-12-01T00:00:00.000Z';
const meters = (used: number): Dashboard['quota'] => [
  { meter: 'ai', included: 10, granted: 0, used, left: 10 - used, resetsAt },
  { meter: 'standard', included: 100, granted: 0, used: 7, left: 93, resetsAt },
];

it('shows a warning at 80% and a forecast', async () => {
  changeStats({ quota: meters(8), forecast: [{ meter: 'ai', endsAt: '2099-11-12T08:00:00.000Z' }] });
  await openPage('/dashboard', await makeAccount());
  const quota = within(await screen.findByRole('region', { name: 'Usage this period' }));
  quota.getByText('Almost at the limit');
  quota.getByText('8 of 10');
  quota.getByText("Resets on Dec 1, 2099. At this rate, you'll reach your limit around Nov 12.");
  expect(quota.queryByRole('link', { name: 'View plans' })).toBeNull();
});

it('shows the upgrade when a meter is used up', async () => {
  changeStats({ quota: meters(10), forecast: [] });
  await openPage('/dashboard', await makeAccount());
  const quota = within(await screen.findByRole('region', { name: 'Usage this period' }));
  quota.getByText('Limit reached');
  quota.getByText('AI images have run out. They reset on Dec 1, 2099. Standard images are still available.');
  await quota.findByText(`100 AI images per month for $${currentPlans.pro.price}.`, { exact: false });
  expect(quota.getByRole('link', { name: 'View plans' })).toHaveAttribute('href', '/pricing');
});

it('shows an error when data fails to load, and retries', async () => {
  const recover = intercept(/^\/api\/(dashboard\/stats|jobs)/, async () => new Response(null, { status: 503 }));
  const user = await openPage('/dashboard?tab=activity', await makeAccount());
  const again = await within(await screen.findByRole('tabpanel')).findByRole('button', { name: 'Try again' });
  await waitFor(() => expect(screen.getAllByRole('alert').length).toBeGreaterThan(1));
  expect(screen.queryByText('Images processed')).toBeNull();
  recover();
  await user.click(again);
  await screen.findByText('No images yet');
  (await findStat('Images processed')).getByText('0');
});
