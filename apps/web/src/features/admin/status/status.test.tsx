import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { recordProbes } from '@uprez/testing/factories/record-probes';
import type { SignedIn } from '@uprez/testing/sign-up';
import { beforeAll, expect, it } from 'vitest';
import { chooseOption, findRow, press, waitForRows } from '../../../../test/component/admin-page.ts';
import { db, fill, makeAdmin, openPage } from '../../../../test/component/open-page.tsx';

let admin: SignedIn;

beforeAll(async () => {
  admin = await makeAdmin();
  const now = Date.now();
  // 40 minutes, of which the delivery was down for 8 and the API degraded for 4. Other files record none.
  for (let age = 40; age >= 0; age -= 1)
    await recordProbes(db, new Date(now - age * 60_000), {
      payments: 'unconfigured',
      ...(age <= 30 && age > 22 && { delivery: 'down' }),
      ...(age < 4 && { api: 'degraded' }),
    });
});

const field = (name: string) => screen.getByRole('textbox', { name });
const makeTitle = (name: string) => `${name} ${randomUUID().slice(0, 8)}`;
const findRegion = (name: string) => screen.findByRole('region', { name });
const listItems = (list: HTMLElement) => within(list).getAllByRole('listitem');

/** Chooses an item of the menu of a row. */
async function chooseAction(user: UserEvent, row: string, item: string): Promise<void> {
  await press(user, /^Actions/, await findRow(row));
  await user.click(await screen.findByRole('menuitem', { name: item }));
}

/** Announces maintenance in the open page of incidents. Returns its title. */
async function announce(user: UserEvent): Promise<string> {
  const title = makeTitle('Database update');
  await press(user, 'Schedule maintenance');
  await fill(user, await screen.findByRole('textbox', { name: 'Title' }), title);
  await user.click(screen.getByRole('checkbox', { name: 'Image Processing API' }));
  await fill(user, field('Update'), 'Jobs wait for a few minutes.');
  await press(user, 'Publish announcement');
  await screen.findByText('Maintenance scheduled');
  expect(await findRow(title)).toHaveTextContent('Scheduled');
  return title;
}

it('shows what probes found: states, bars, and the incident that they opened, and no uptime of less than a day', async () => {
  const user = await openPage('/status');
  await screen.findByText('Degraded performance');
  const services = await findRegion('Services');
  const service = (name: string) => listItems(services).find(({ textContent }) => textContent.includes(name));
  expect(service('Image Processing API')).toHaveTextContent('Degraded');
  expect(service('Image Processing API')).toHaveTextContent('Uptime-');
  expect(service('Payment Processing')).toHaveTextContent('Not configured');
  expect(service('CDN & File Delivery')).toHaveTextContent('Uptime-');
  screen.getByRole('img', { name: /^CDN & File Delivery: outages on 1 of [12] observed days?$/ });
  const incidents = await findRegion('Past incidents');
  expect(incidents).toHaveTextContent('Outage: CDN & File Delivery');
  expect(incidents).toHaveTextContent('Resolved');
  screen.getByText('Uptime is shown once 24 hours of checks are complete.');
  expect(screen.queryByText(/service level|\d% uptime/)).toBeNull();
  expect(within(screen.getByRole('contentinfo')).getByRole('link', { name: 'Status' })).toBeVisible();
  await user.click(within(incidents).getByRole('link', { name: 'Outage: CDN & File Delivery' }));
  expect(listItems(await findRegion('Updates'))).toHaveLength(2);
});

it('publishes an incident and its updates', async () => {
  const title = makeTitle('Slow uploads');
  const user = await openPage('/admin/status', admin);
  await press(user, 'New incident');
  await press(user, 'Publish incident');
  await screen.findByText('Title is required');
  await fill(user, field('Title'), title);
  await user.click(screen.getByRole('checkbox', { name: 'File Upload Service' }));
  await fill(user, field('Update'), 'Uploads take longer than usual.');
  await press(user, 'Publish incident');
  await screen.findByText('Incident published');
  await chooseAction(user, title, 'Add update');
  await chooseOption(user, 'State', 'Identified');
  await fill(user, field('Update'), 'A disk is slow. We are replacing it.');
  await press(user, 'Publish update');
  await screen.findByText('Update published');
  await waitFor(async () => expect(await findRow(title)).toHaveTextContent('Identified'));
  await openPage('/status');
  const [first] = listItems(await findRegion('Active incidents'));
  expect(first).toHaveTextContent(title);
  expect(first).toHaveTextContent('A disk is slow. We are replacing it.');
});

it('announces maintenance on the status page and every screen, and cancels it', async () => {
  const user = await openPage('/admin/status', admin);
  const title = await announce(user);
  await openPage('/admin/audit', admin);
  await screen.findByRole('link', { name: title });
  await openPage('/status');
  expect(await findRegion('Planned maintenance')).toHaveTextContent(title);
  const other = await openPage('/admin/status', admin);
  await chooseAction(other, title, 'Cancel maintenance');
  await press(other, 'Cancel maintenance', await screen.findByRole('alertdialog'));
  await screen.findByText('Maintenance canceled');
  await waitFor(async () => expect(await findRow(title)).toHaveTextContent('Canceled'));
  await openPage('/status');
  await findRegion('Past incidents');
  expect(screen.queryByText(title)).toBeNull();
});

it('overrides the status of a service until its end', async () => {
  const user = await openPage('/admin/status', admin);
  await chooseAction(user, 'Web Application', 'Override status');
  await chooseOption(user, 'Show as', 'Outage');
  await press(user, 'Override status');
  await screen.findByText('Status overridden');
  await openPage('/status');
  await screen.findByText('Service outage');
  const other = await openPage('/admin/status', admin);
  await chooseAction(other, 'Web Application', 'End override');
  await screen.findByText('Override ended');
  await openPage('/status');
  await screen.findByText('Degraded performance');
});

it('lists probes by service and result', async () => {
  await openPage('/admin/status/probes?service=delivery&state=down', admin);
  await waitForRows(8);
  expect(document.querySelector('tbody tr')).toHaveTextContent('no response in time');
});
