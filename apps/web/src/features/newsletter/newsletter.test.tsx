import { createHash, randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { press } from '../../../test/component/admin-page.ts';
import { db, fill, openPage, site } from '../../../test/component/open-page.tsx';

const makeEmail = () => `${randomUUID()}@engine.example`;
const findHeading = (name: string) => screen.findByRole('heading', { level: 1, name });
const findBox = (name: string) => screen.findByRole('checkbox', { name: new RegExp(`^${name}`) });

const findInterests = (email: string) =>
  db
    .selectFrom('subscribers')
    .select(['state', 'topics', 'services'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();

/** The token of the link that confirms a subscription, as its email would have it. */
async function makeToken(email: string): Promise<string> {
  const token = randomUUID();
  const tokenHash = createHash('sha256').update(token).digest();
  await db.updateTable('subscribers').set({ tokenHash }).where('email', '=', email).executeTakeFirstOrThrow();
  return token;
}

const post = (path: string, body: object) =>
  fetch(`${site.url}/api/newsletter${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: site.url },
    body: JSON.stringify(body),
  });

/** Returns the token that links of emails to a new subscriber have, and that of the link that was used. */
async function makeReader(topics: ('news' | 'status')[]) {
  const email = makeEmail();
  await post('/subscriptions', { email, topics });
  const used = await makeToken(email);
  const { token } = (await (await post('/confirm', { token: used })).json()) as { token: string };
  return { email, token, used };
}

/** Enters an email address, and subscribes. */
async function subscribe(user: UserEvent, email: string): Promise<void> {
  await fill(user, screen.getByLabelText('Email'), email);
  await press(user, 'Subscribe');
}

it('subscribes a visitor on the blog, who confirms and chooses what to get', async () => {
  const reader = makeEmail();
  const user = await openPage('/blog');
  await press(user, 'Subscribe');
  await screen.findByText('Enter a valid email address.');
  await waitFor(() => expect(screen.getByLabelText('Email')).toHaveFocus());
  await subscribe(user, reader);
  expect(await screen.findByText('Check your inbox')).toHaveFocus();
  screen.getByText(/^If this address isn't subscribed yet, we've sent a link to confirm it\./);
  expect(await findInterests(reader)).toEqual({ state: 'pending', topics: [], services: [] });
  const opened = await openPage(`/newsletter/confirm?token=${await makeToken(reader)}`);
  await findHeading("You're subscribed");
  screen.getByText(`${reader} will get:`);
  await opened.click(screen.getByRole('link', { name: 'Change email preferences' }));
  await findHeading('Email preferences');
  expect(await findBox('News')).toBeChecked();
  await opened.click(await findBox('Status notifications'));
  await opened.click(await screen.findByRole('radio', { name: 'Chosen services' }));
  await press(opened, 'Save preferences');
  await screen.findByText('Choose at least one service.');
  await opened.click(await findBox('Image Processing API'));
  await press(opened, 'Save preferences');
  await screen.findByText('Preferences saved');
  expect(await findInterests(reader)).toEqual({ state: 'confirmed', topics: ['news', 'status'], services: ['api'] });
});

it('shows one page for a used and a forged link, which subscribes again', async () => {
  const { used } = await makeReader(['news']);
  for (const path of [`confirm?token=${used}`, 'preferences?token=forged']) {
    await openPage(`/newsletter/${path}`);
    await findHeading("This link isn't valid");
  }
  const user = await openPage('/newsletter/unsubscribe');
  await findHeading("This link isn't valid");
  const email = makeEmail();
  await user.click(await findBox('News'));
  await subscribe(user, email);
  await screen.findByText('Choose at least one topic.');
  await user.click(await findBox('Status notifications'));
  await press(user, 'Subscribe');
  await screen.findByText('Check your inbox');
  await openPage(`/newsletter/confirm?token=${await makeToken(email)}`);
  await findHeading("You're subscribed");
  expect(await findInterests(email)).toMatchObject({ topics: ['status'], services: [] });
});

it('subscribes to some services on the status page', async () => {
  const email = makeEmail();
  const user = await openPage('/status');
  const box = within(await screen.findByRole('region', { name: 'Stay Informed' }));
  await user.click(box.getByRole('radio', { name: 'Chosen services' }));
  await subscribe(user, email);
  await box.findByText('Choose at least one service.');
  await user.click(box.getByRole('checkbox', { name: 'CDN & File Delivery' }));
  await press(user, 'Subscribe');
  await screen.findByText('Check your inbox');
  const opened = await openPage(`/newsletter/confirm?token=${await makeToken(email)}`);
  await screen.findByText('CDN & File Delivery');
  await opened.click(screen.getByRole('link', { name: 'Change email preferences' }));
  expect(await findBox('CDN & File Delivery')).toBeChecked();
  await press(opened, 'Unsubscribe from all');
  await screen.findByText("You're unsubscribed. We won't send more newsletters or status notifications.");
  expect(screen.getByRole('button', { name: 'Unsubscribe from all' })).toHaveFocus();
  expect(await findBox('Status notifications')).not.toBeChecked();
  expect(await findInterests(email)).toEqual({ state: 'unsubscribed', topics: [], services: [] });
});

it('unsubscribes from all after a click, not when the page opens', async () => {
  const { email, token } = await makeReader(['news', 'status']);
  const user = await openPage(`/newsletter/unsubscribe?token=${token}&topic=status`);
  await findHeading('Unsubscribe');
  await screen.findByRole('button', { name: 'Unsubscribe from all' });
  expect(await findInterests(email)).toMatchObject({ topics: ['news', 'status'] });
  await press(user, 'Unsubscribe from all');
  await findHeading("You're unsubscribed");
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
  screen.getByText(`${email} won't get more newsletters or status notifications.`);
  expect(await findInterests(email)).toEqual({ state: 'unsubscribed', topics: [], services: [] });
});
