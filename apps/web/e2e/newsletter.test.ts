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
    const { pathname, search } = new URL(url);
    return world.url + pathname + search;
  };

  test('a visitor subscribes on the blog, confirms by a link, gets emails, and leaves by their links', async ({
    page,
  }) => {
    await test.step('subscribes on the blog', async () => {
      await page.goto(`${world.url}/blog`);
      await button(page, 'Subscribe').click();
      await page.getByText('Enter a valid email address.').waitFor();
      await expect(page.getByLabel('Email')).toBeFocused();
      expect(await findViolations(page)).toEqual([]);
      await page.getByLabel('Email').fill(reader);
      await button(page, 'Subscribe').click();
      await expect(page.getByText('Check your inbox')).toBeFocused();
      expect(await findInterests(reader)).toEqual({ state: 'pending', topics: [], services: [] });
    });
    await test.step('confirms, and chooses what to get', async () => {
      const { pathname, search } = findMailLink(await waitForMail(world.mailUrl, reader, 'Confirm your subscription'));
      await page.goto(world.url + pathname + search);
      await waitForHeading(page, "You're subscribed");
      await page.getByRole('link', { name: 'Change email preferences' }).click();
      await waitForHeading(page, 'Email preferences');
      const topic = (name: string) => page.getByRole('checkbox', { name });
      await checkScreens(page, page.url(), () => topic('News').waitFor());
      await topic('Status notifications').check();
      await button(page, 'Save preferences').click();
      await page.getByText('Preferences saved', { exact: true }).waitFor();
      expect(await findInterests(reader)).toEqual({ state: 'confirmed', topics: ['news', 'status'], services: [] });
    });
    const url = await test.step('leaves a topic by the header of an email', async () => {
      const response = await context.request.post(`${world.url}/api/admin/status/incidents`, {
        data: {
          ...{ title: 'Slow jobs', severity: 'minor', state: 'investigating', services: ['api'] },
          ...{ text: 'Jobs take longer.', notify: true },
        },
        headers: { origin: world.url },
      });
      expect(response.ok()).toBe(true);
      const unsubscribeUrl = unsubscribeUrlOf(await waitForMail(world.mailUrl, reader, 'Slow jobs'));
      const left = await fetch(unsubscribeUrl, {
        method: 'POST',
        body: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(left.status).toBe(200);
      expect(await findInterests(reader)).toEqual({ state: 'confirmed', topics: ['news'], services: [] });
      return unsubscribeUrl;
    });
    await test.step('leaves by the page of the link', async () => {
      await page.goto(url);
      await waitForHeading(page, 'Unsubscribe');
      await checkScreens(page, page.url(), () => button(page, 'Unsubscribe from all').waitFor());
      expect(await findInterests(reader)).toMatchObject({ topics: ['news'] });
      await button(page, 'Unsubscribe from all').click();
      await waitForHeading(page, "You're unsubscribed");
      await expect(page.getByRole('main')).toBeFocused();
      expect(await findInterests(reader)).toEqual({ state: 'unsubscribed', topics: [], services: [] });
    });
    await test.step('sees that a link is not valid', () =>
      checkScreens(page, `${world.url}/newsletter/unsubscribe`, () => page.getByLabel('Email').waitFor()));
  });
});
