import { readFile } from 'node:fs/promises';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { listMails, waitForMail } from '@uprez/testing/mail';
import { makeSubscribers } from '@uprez/testing/make-subscriber';
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

  test('writes a campaign, corrects it, tests it, sends it, and follows it to the end', async () => {
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

  test('schedules a post, takes it back, and deletes the draft', async () => {
    const created = await context.request.post(`${world.url}/api/admin/blog/posts`, {
      data: { title: 'What is new', content: 'Text', slug: 'what-is-new', status: 'published' },
      headers: { origin: world.url },
    });
    expect(created.status()).toBe(201);
    await page.goto(`${world.url}/admin/blog/${((await created.json()) as { id: string }).id}`);
    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Send as newsletter' }).click();
    await expect(page.getByRole('radio', { name: /^What is new/ })).toBeChecked();
    await button('Cancel').click();
    await page.waitForURL(`${world.url}/admin/newsletter`);
    await button('New campaign').click();
    await page.getByLabel('Search posts').fill('is new');
    await page.getByRole('radio', { name: /^What is new/ }).check();
    await button('Create draft').click();
    await waitForHeading('What is new');
    await button('Schedule').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/UTC\)$/).waitFor();
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await toast('Campaign scheduled');
    await details().getByText('Scheduled', { exact: true }).waitFor();
    await button('Unschedule').click();
    await toast('Campaign is a draft again');
    await button('Delete').click();
    await inDialog('Delete draft').click();
    await toast('Campaign deleted');
    await waitForHeading('Newsletter');
    await page.getByRole('row').filter({ hasText: subject }).waitFor();
    await expect(page.getByRole('row').filter({ hasText: 'What is new' })).toHaveCount(0);
    await checkScreens(page, page.url(), () => page.getByText(subject).first().waitFor());
  });

  test('follows a campaign that is being sent, and pauses, resumes, and cancels it', async () => {
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
    await page.goto(`${url}/admin/newsletter/campaigns/${id}`);
    const progress = page.getByRole('progressbar', { name: 'Progress' });
    await expect(progress).toHaveAttribute('aria-valuetext', '0 of 3');
    await db
      .updateTable('campaignMails')
      .set({ state: 'failed', attempts: 1, lastError: '550 no such mailbox', endedAt: new Date() })
      .where('campaignId', '=', id)
      .where('subscriberId', '=', subscribers[0]?.id ?? '')
      .execute();
    await expect(progress).toHaveAttribute('aria-valuetext', '1 of 3');
    const failures = page.getByRole('region', { name: 'Failed emails' });
    await expect(failures).toContainText('550 no such mailbox');
    await checkScreens(page, page.url(), () => failures.waitFor());
    await button('Pause').click();
    await details().getByText('Paused', { exact: true }).waitFor();
    await button('Resume').click();
    await details().getByText('Sending', { exact: true }).waitFor();
    await button('Cancel campaign').click();
    await page.getByText("2 emails won't be sent.").waitFor();
    await inDialog('Cancel campaign').click();
    await details().getByText('Canceled', { exact: true }).first().waitFor();
    await expect(details()).toContainText('Skipped2');
    await expect(button('Cancel campaign')).toHaveCount(0);
  });

  test('lists, exports, and removes subscribers', async () => {
    await page.goto(`${world.url}/admin/newsletter`);
    await page.getByRole('link', { name: 'Subscribers', exact: true }).last().click();
    await waitForHeading('Subscribers');
    await page.getByText('3 of 3', { exact: true }).waitFor();
    await page.getByLabel('Topic').click();
    await page.getByRole('option', { name: 'Status notifications' }).click();
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await page.getByText('File Upload Service').first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv).toContain(watcher?.email);
    expect(csv).not.toContain(readers[0]?.email);
    await button('View').waitFor();
    await checkScreens(page, `${world.url}/admin/newsletter/subscribers`, () =>
      page.getByText('3 of 3', { exact: true }).waitFor(),
    );
    const email = readers[0]?.email ?? '';
    await page.getByLabel('Search by email').fill(email);
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await button(`Actions for ${email}`).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await inDialog('Remove subscriber').click();
    await toast('Subscriber removed');
    await page.getByText('No matches', { exact: true }).waitFor();
    const left = await world.db.selectFrom('subscribers').select('email').execute();
    expect(left.map((row) => row.email).sort()).toEqual([readers[1]?.email, watcher?.email].sort());
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

  test('shows viewers everything, and lets them change nothing', async () => {
    await world.db.updateTable('users').set({ role: 'viewer' }).where('email', '=', world.email).execute();
    await page.goto(`${world.url}/admin/newsletter`);
    await page.getByRole('link', { name: subject }).waitFor();
    await expect(button('New campaign')).toHaveCount(0);
    await page.goto(`${world.url}/admin/newsletter/subscribers`);
    await page.getByText('2 of 2', { exact: true }).waitFor();
    await expect(page.getByRole('button', { name: /^Actions for/ })).toHaveCount(0);
  });
});
