import { readFile } from 'node:fs/promises';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { replyPromise } from '@uprez/contracts/texts/site/contact';
import { listMails, waitForMail } from '@uprez/testing/mail';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type MailWorld, openMailWorld } from '../support/open-mail-world.ts';

const sender = 'ada@engine.example';
/** With a word that is wider than any screen. */
const subject = `<b>Upload</b> fails ${'W'.repeat(120)}`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const badge = (page: Page, name: string) => page.getByText(name, { exact: true }).first();

test.describe('inbox', () => {
  test.describe.configure({ mode: 'serial' });
  let world: MailWorld;
  let supportEmail: string;
  let context: BrowserContext;
  let agent: Page;

  test.beforeAll(async ({ browser }) => {
    context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
    world = await openMailWorld(context, 'support');
    ({ supportEmail } = (await (await fetch(`${world.url}/api/site`)).json()) as { supportEmail: string });
    agent = world.page;
  });
  test.afterAll(async () => {
    await context?.close();
    await world?.close();
  });

  const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  test('a visitor sends a message with a file, after a reload and corrections', async ({ page }) => {
    await agent.goto(`${world.url}/admin/inbox`);
    await agent.getByText('No open tickets', { exact: true }).waitFor();
    await page.goto(`${world.url}/contact`);
    await checkScreens(page, `${world.url}/contact`, () => page.getByLabel('First name').waitFor());
    await page.getByLabel('Subject').fill(subject);
    await page.getByRole('textbox', { name: 'Message' }).fill('It stops.\nAlways.');
    await page.reload();
    await expect(page.getByLabel('Subject')).toHaveValue(subject);
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('It stops.\nAlways.');
    await button(page, 'Send message').click();
    await page.getByText('First name is required').waitFor();
    await expect(page.getByLabel('First name')).toBeFocused();
    expect(await findViolations(page)).toEqual([]);
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('Email', { exact: true }).fill(sender);
    await page.getByLabel('Inquiry type').click();
    await page.getByRole('option', { name: 'Bug report' }).click();
    const files = page.getByLabel('Attachments').first();
    await files.setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html>') });
    await button(page, 'Send message').click();
    await page.getByText('"page.png" can\'t be attached. Attach PNG, JPEG, WebP, PDF, or TXT files.').waitFor();
    await button(page, 'Remove page.png').click();
    await files.setInputFiles({ name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from('line 1') });
    const optIn = page.getByRole('checkbox', { name: 'Email me news, too.' });
    await expect(optIn).not.toBeChecked();
    await optIn.check();
    await button(page, 'Send message').click();
    await page.getByRole('heading', { name: 'Message sent' }).waitFor();
    await page.getByText(`Your message number is #1001. We'll reply to ${sender}. ${replyPromise}`).waitFor();
    await waitForMail(world.mailUrl, sender, 'We received your message (#1001)');
    await waitForMail(world.mailUrl, sender, 'Confirm your subscription');
    const { text } = await waitForMail(world.mailUrl, supportEmail, 'New message #1001 from Ada Lovelace');
    expect(text).toContain('Bug report');
    await button(page, 'Send another message').click();
    await expect(page.getByLabel('Subject')).toHaveValue('');
  });

  test('an agent finds it, takes it, reads the file, replies by email, and adds a note', async () => {
    await agent.goto(`${world.url}/admin`);
    await agent
      .getByRole('navigation', { name: 'Admin Panel' })
      .getByRole('link', { name: 'Inbox', exact: true })
      .click();
    await waitForHeading(agent, 'Inbox');
    await agent.reload();
    // The list is longer than the screen.
    await expect(agent.getByRole('link', { name: 'Inbox', exact: true })).toBeInViewport();
    await agent.getByText(`Answers to them arrive at ${supportEmail}`).waitFor();
    await checkScreens(agent, `${world.url}/admin/inbox`, () => agent.getByText(subject).first().waitFor());
    await agent.getByRole('link', { name: subject }).click();
    await waitForHeading(agent, `#1001: ${subject}`);
    await agent.getByLabel('Assignee').click();
    await agent.getByRole('option', { name: 'Grace' }).click();
    await expect(agent.getByLabel('Assignee')).toContainText('Grace');
    const [download] = await Promise.all([
      agent.waitForEvent('download'),
      agent.getByRole('link', { name: 'log.txt' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toBe('line 1');
    await agent.getByRole('radio', { name: 'Internal note' }).check();
    await agent.getByLabel('Note', { exact: true }).fill('A <b>known</b> bug.');
    await button(agent, 'Add note').click();
    await agent.getByText('A <b>known</b> bug.', { exact: true }).waitFor();
    await agent.getByRole('radio', { name: 'Reply by email' }).check();
    await agent.getByLabel('Reply', { exact: true }).fill('Hello Ada,\n\nit is fixed.\n\nGrace');
    await button(agent, 'Send reply').click();
    await badge(agent, 'Answered').waitFor();
    const { text } = await waitForMail(world.mailUrl, sender, `Re: ${subject} (#1001)`);
    expect(text).toContain('Hello Ada,\n\nit is fixed.');
    expect(text).not.toContain('known');
    await expect(async () => {
      await agent.reload();
      await badge(agent, 'Email sent').waitFor({ timeout: 5_000 });
    }).toPass();
    await checkScreens(agent, agent.url(), () => badge(agent, 'Email sent').waitFor());
    expect(await listMails(world.mailUrl, sender)).toHaveLength(3);
  });
});
