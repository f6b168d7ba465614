import { type BrowserContext, expect, type Page } from '@playwright/test';
import { findMailLink, type TestMail, waitForMail } from '@uprez/testing/mail';
import { checkScreens } from './support/check-screens.ts';
import { findViolations } from './support/find-violations.ts';
import { test } from './support/fixtures.ts';
import { type MailWorld, openMailWorld } from './support/open-mail-world.ts';

const reader = 'ada@engine.example';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

test.describe('newsletter', () => {
  test.describe.configure({ mode: 'serial' });
  let world: MailWorld;
  let context: BrowserContext;

  test.beforeAll(async ({ browser }) => {
    context = await browser.newContext();
    world = await openMailWorld(context, 'owner');
  });
  test.afterAll(async () => {
    await context?.close();
    await world?.close();
  });

  /** A URL of an email, on this site. */
  const onSite = ({ pathname, search }: URL) => world.url + pathname + search;
  const confirmationOf = async (email: string) =>
    onSite(findMailLink(await waitForMail(world.mailUrl, email, 'Confirm your subscription')));
  const findInterests = async (email: string) => {
    const { state, topics, services } = await world.db
      .selectFrom('subscribers')
      .select(['state', 'topics', 'services'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    return { state, topics, services };
  };
  const unsubscribeUrlOf = ({ headers }: TestMail) => {
    const [, url = ''] = /^<(.*)>$/.exec(headers['list-unsubscribe'] ?? '') ?? [];
    return onSite(new URL(url));
  };

  test('a visitor subscribes on the blog, confirms once, and chooses what to get', async ({ page }) => {
    await page.goto(`${world.url}/blog`);
    await button(page, 'Subscribe').click();
    await page.getByText('Enter a valid email address.').waitFor();
    await expect(page.getByLabel('Email')).toBeFocused();
    expect(await findViolations(page)).toEqual([]);
    await page.getByLabel('Email').fill(reader);
    await button(page, 'Subscribe').click();
    await expect(page.getByText('Check your inbox')).toBeFocused();
    await page.getByText("If this address isn't subscribed yet, we've sent a link to confirm it.").waitFor();
    expect(await findInterests(reader)).toEqual({ state: 'pending', topics: [], services: [] });
    await page.goto(await confirmationOf(reader));
    await waitForHeading(page, "You're subscribed");
    await page.getByText(`${reader} will get:`).waitFor();
    await page.getByRole('link', { name: 'Change email preferences' }).click();
    await waitForHeading(page, 'Email preferences');
    const url = page.url();
    const topic = (name: string) => page.getByRole('checkbox', { name });
    await checkScreens(page, url, () => topic('News').waitFor());
    await expect(topic('News')).toBeChecked();
    await topic('Status notifications').check();
    await page.getByRole('radio', { name: 'Chosen services' }).check();
    await button(page, 'Save preferences').click();
    await page.getByText('Choose at least one service.').waitFor();
    await page.getByRole('checkbox', { name: 'Image Processing API' }).check();
    await button(page, 'Save preferences').click();
    await page.getByText('Preferences saved', { exact: true }).waitFor();
    expect(await findInterests(reader)).toEqual({ state: 'confirmed', topics: ['news', 'status'], services: ['api'] });
  });

  test('a reader without JavaScript confirms and unsubscribes by the buttons of the pages', async ({ browser }) => {
    const email = 'bob@engine.example';
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const page = await plain.newPage();
    const data = { email, topics: ['news'] };
    await context.request.post(`${world.url}/api/newsletter/subscriptions`, { data, headers: { origin: world.url } });
    await page.goto(await confirmationOf(email));
    await waitForHeading(page, 'Confirm your subscription');
    expect(await findInterests(email)).toMatchObject({ state: 'pending' });
    await button(page, 'Confirm subscription').click();
    const says = page.locator('main p');
    await expect(says).toContainText(`${email} gets these emails: News.`);
    expect(await findInterests(email)).toMatchObject({ state: 'confirmed', topics: ['news'] });
    await button(page, 'Unsubscribe from all').click();
    await expect(says).toHaveText(`${email} gets no emails.`);
    await plain.close();
  });

  test('a link that was used and a forged one lead to the same page, which subscribes again', async ({ page }) => {
    for (const url of [await confirmationOf(reader), `${world.url}/newsletter/preferences?token=forged`]) {
      await page.goto(url);
      await waitForHeading(page, "This link isn't valid");
      await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    }
    await checkScreens(page, `${world.url}/newsletter/unsubscribe`, () => page.getByLabel('Email').waitFor());
    await page.getByRole('checkbox', { name: 'News' }).uncheck();
    await page.getByLabel('Email').fill('grace@engine.example');
    await button(page, 'Subscribe').click();
    await page.getByText('Choose at least one topic.').waitFor();
    await page.getByRole('checkbox', { name: 'Status notifications' }).check();
    await button(page, 'Subscribe').click();
    await page.getByText('Check your inbox').waitFor();
    await page.goto(await confirmationOf('grace@engine.example'));
    await waitForHeading(page, "You're subscribed");
    expect(await findInterests('grace@engine.example')).toMatchObject({ topics: ['status'], services: [] });
  });

  test('the status page subscribes to some services', async ({ page }) => {
    const email = 'alan@engine.example';
    await page.goto(`${world.url}/status`);
    const box = page.getByRole('region', { name: 'Stay Informed' });
    await box.getByRole('radio', { name: 'Chosen services' }).check();
    await box.getByLabel('Email').fill(email);
    await button(page, 'Subscribe').click();
    await box.getByText('Choose at least one service.').waitFor();
    await box.getByRole('checkbox', { name: 'CDN & File Delivery' }).check();
    await button(page, 'Subscribe').click();
    await page.getByText('Check your inbox').waitFor();
    await page.goto(await confirmationOf(email));
    await page.getByText('CDN & File Delivery', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Change email preferences' }).click();
    await expect(page.getByRole('checkbox', { name: 'CDN & File Delivery' })).toBeChecked();
    await button(page, 'Unsubscribe from all').click();
    await page.getByText("You're unsubscribed. We won't send more newsletters or status notifications.").waitFor();
    await expect(button(page, 'Unsubscribe from all')).toBeFocused();
    await expect(page.getByRole('checkbox', { name: 'Status notifications' })).not.toBeChecked();
    expect(await findInterests(email)).toEqual({ state: 'unsubscribed', topics: [], services: [] });
  });

  test('readers of the service unsubscribe from a topic by the header, and from all with the button', async ({
    page,
  }) => {
    const response = await context.request.post(`${world.url}/api/admin/status/incidents`, {
      data: {
        ...{ title: 'Slow jobs', severity: 'minor', state: 'investigating', services: ['api'] },
        ...{ text: 'Jobs take longer.', notify: true },
      },
      headers: { origin: world.url },
    });
    expect(response.ok()).toBe(true);
    const url = unsubscribeUrlOf(await waitForMail(world.mailUrl, reader, 'Slow jobs'));
    const left = await fetch(url, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(left.status).toBe(200);
    expect(await findInterests(reader)).toEqual({ state: 'confirmed', topics: ['news'], services: [] });
    await page.goto(url);
    await waitForHeading(page, 'Unsubscribe');
    await checkScreens(page, page.url(), () => button(page, 'Unsubscribe from all').waitFor());
    expect(await findInterests(reader)).toMatchObject({ topics: ['news'] });
    await button(page, 'Unsubscribe from all').click();
    await waitForHeading(page, "You're unsubscribed");
    await expect(page.getByRole('main')).toBeFocused();
    await page.getByText(`${reader} won't get more newsletters or status notifications.`).waitFor();
    expect(await findInterests(reader)).toEqual({ state: 'unsubscribed', topics: [], services: [] });
  });
});
