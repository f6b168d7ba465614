import { type BrowserContext, expect, type Page } from '@playwright/test';
import { makeSubscribers } from '@uprez/testing/factories/make-subscriber';
import { listMails, waitForMail } from '@uprez/testing/mail';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type MailWorld, openMailWorld } from '../support/open-mail-world.ts';
import { waitForToast } from '../support/toasts.ts';

const subject = 'Larger <b>images</b>';

test.describe('newsletter administration', () => {
  test.describe.configure({ mode: 'serial' });
  let world: MailWorld;
  let context: BrowserContext;
  let page: Page;
  let readers: { email: string }[];
  let watcher: { email: string } | undefined;

  test.beforeAll(async ({ browser }) => {
    context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
    world = await openMailWorld(context, 'owner');
    ({ page } = world);
    readers = await makeSubscribers(world.db, 2);
    [watcher] = await makeSubscribers(world.db, 1, { topics: ['status'], services: ['upload'] });
  });
  test.afterAll(async () => {
    await context?.close();
    await world?.close();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const inDialog = (name: string) => page.getByRole('alertdialog').getByRole('button', { name, exact: true });
  const toast = (text: string) => waitForToast(page, text);
  const waitForHeading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const details = () => page.getByRole('region', { name: 'Details' });

  test('writes a campaign, corrects it, tests it, schedules it, sends it, and follows it to the end', async () => {
    await page.goto(`${world.url}/admin`);
    const sidebar = page.getByRole('navigation', { name: 'Admin Panel' });
    await sidebar.getByRole('button', { name: 'Content' }).click();
    await sidebar.getByRole('link', { name: 'Newsletter', exact: true }).click();
    await waitForHeading('Newsletter');
    await page.getByText('No campaigns yet', { exact: true }).waitFor();
    await button('New campaign').click();
    await button('Create draft').click();
    await page.getByText('Choose a post.').waitFor();
    await page.getByText('No published posts match.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Custom text' }).check();
    await button('Create draft').click();
    await page.getByText('Subject is required').waitFor();
    await expect(field('Subject')).toBeFocused();
    await field('Subject').fill('Larger images');
    await field('Text').fill('## Hello\n\nImages are **larger**.');
    await button('Create draft').click();
    await waitForHeading('Larger images');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('heading', { name: 'Hello' }).waitFor();
    await field('Subject').fill(subject);
    await expect(button('Send now')).toBeDisabled();
    await button('Save changes').click();
    await toast('Campaign saved');
    await waitForHeading(subject);
    await button('Send test to me').click();
    await toast('Confirm your email address first.');
    const own = world.db.updateTable('users').where('email', '=', world.email);
    await own.set({ emailVerified: true }).execute();
    await page.reload();
    await button('Send test to me').click();
    await toast(`Test sent to ${world.email}`);
    await waitForMail(world.mailUrl, world.email, `[Test] ${subject}`);
    await checkScreens(page, page.url(), () => button('Send now').waitFor());
    await button('Schedule').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/UTC\)$/).waitFor();
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await toast('Campaign scheduled');
    await details().getByText('Scheduled', { exact: true }).waitFor();
    await button('Unschedule').click();
    await toast('Campaign is a draft again');
    await button('Send now').click();
    await inDialog('Send to 2 subscribers').click();
    await toast('Sending started');
    await details().getByText('Sent', { exact: true }).first().waitFor();
    await expect(details()).toContainText('Sent2');
    await expect(button('Send now')).toBeHidden();
    for (const { email } of readers) {
      const { text } = await waitForMail(world.mailUrl, email, subject);
      expect(text).toContain('Images are');
    }
    expect(await listMails(world.mailUrl, watcher?.email ?? '')).toEqual([]);
  });

  test('fits all screens', async () => {
    const { db, url } = world;
    const created = await context.request.post(`${url}/api/admin/newsletter/campaigns`, {
      data: { subject: 'Slow campaign', text: 'Text' },
      headers: { origin: url },
    });
    const { id } = (await created.json()) as { id: string };
    const subscribers = await db.selectFrom('subscribers').select('id').execute();
    // Nothing is sent until then.
    const notBefore = new Date(Date.now() + 3_600_000);
    const mails = subscribers.map((row) => ({ campaignId: id, subscriberId: row.id, lastError: null, endedAt: null }));
    await db
      .insertInto('campaignMails')
      .values(mails.map((mail) => ({ ...mail, notBefore })))
      .execute();
    await db.updateTable('campaigns').set({ state: 'sending', startedAt: new Date() }).where('id', '=', id).execute();
    await db
      .updateTable('campaignMails')
      .set({ state: 'failed', attempts: 1, lastError: '550 no such mailbox', endedAt: new Date() })
      .where('campaignId', '=', id)
      .where('subscriberId', '=', subscribers[0]?.id ?? '')
      .execute();
    await checkScreens(page, `${url}/admin/newsletter`, () => page.getByText('Slow campaign').first().waitFor());
    const failures = page.getByRole('region', { name: 'Failed emails' });
    await checkScreens(page, `${url}/admin/newsletter/campaigns/${id}`, () => failures.waitFor());
    await checkScreens(page, `${url}/admin/newsletter/subscribers`, () =>
      page.getByText('3 of 3', { exact: true }).waitFor(),
    );
  });

  test('sends an update of an incident to those who chose its service', async () => {
    await page.goto(`${world.url}/admin/status`);
    await page.getByRole('link', { name: '1 person gets status notifications by email' }).waitFor();
    await button('New incident').click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Slow uploads');
    await page.getByRole('checkbox', { name: 'File Upload Service' }).check();
    await page.getByRole('textbox', { name: 'Update' }).fill('Uploads take longer than usual.');
    await page.getByRole('checkbox', { name: 'Notify subscribers' }).check();
    await button('Publish incident').click();
    await toast('Incident published');
    const { text } = await waitForMail(world.mailUrl, watcher?.email ?? '', 'Slow uploads');
    expect(text).toContain('Uploads take longer than usual.');
    await page.goto(`${world.url}/admin/newsletter?kind=incident`);
    await page.getByRole('link', { name: '[Investigating] Slow uploads' }).click();
    await page.getByRole('link', { name: 'View on the status page' }).waitFor();
  });
});
