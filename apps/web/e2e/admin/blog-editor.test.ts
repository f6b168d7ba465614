import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { settlePage } from '../support/settle-page.ts';

const content = `Start with **the original**.

## What you need

- [x] a photo
- [ ] patience

| Scale | Pixels |
| --- | ---: |
| 2x | 4 |

\`\`\`sh
uprez photo.jpg
\`\`\`

Read [the prices](/pricing).
`;

test.describe('the editor of posts', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
  });
  test.afterAll(() => admin?.close());

  const url = (path: string) => admin.product.url + path;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const waitForSave = () => page.getByText(/^Saved (just now|\d+ s ago)$/).waitFor();
  const mode = (name: string) => page.getByRole('radio', { name, exact: true });
  type Article = { version: number; fields: { title: string; content: string } };
  const article = async (of = id) =>
    (await (await page.request.get(url(`/api/admin/articles/${of}`))).json()) as Article;
  let id: string;

  test('saves what is typed as rich text, two seconds after the last change', async () => {
    await settlePage(page, url('/admin/blog?new=true'));
    await page.getByRole('heading', { level: 1, name: 'New post' }).waitFor();
    await field('Title').fill('Make it larger');
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await waitForSave();
    await page.getByRole('heading', { level: 1, name: 'Edit post' }).waitFor();
    id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await field('Content').click();
    await page.keyboard.type('Start with ');
    await page.keyboard.press('ControlOrMeta+b');
    await page.keyboard.type('the original');
    await page.keyboard.press('ControlOrMeta+b');
    await page.keyboard.type('.');
    await page.keyboard.press('Enter');
    await button('Heading 2').click();
    await expect(button('Heading 2')).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.type('What you need');
    await page.keyboard.press('Enter');
    await button('Task list').click();
    await page.keyboard.type('a photo');
    await page.keyboard.press('ControlOrMeta+s');
    await waitForSave();
    expect((await article()).fields).toMatchObject({
      title: 'Make it larger',
      content: 'Start with **the original**.\n\n## What you need\n\n- [ ] a photo\n',
    });
    expect(await findViolations(page)).toEqual([]);
  });

  test('links text, and inserts and changes tables', async () => {
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.keyboard.press('ControlOrMeta+k');
    const dialog = page.getByRole('dialog', { name: 'Link' });
    await dialog.getByLabel('URL').fill('javascript:alert(1)');
    await dialog.getByRole('button', { name: 'Save link' }).click();
    await dialog.getByText('Enter a URL that starts with https://').waitFor();
    await dialog.getByLabel('URL').fill('example.com');
    await dialog.getByLabel('Text').fill('Example');
    await dialog.getByRole('button', { name: 'Save link' }).click();
    await expect(field('Content').getByRole('link', { name: 'Example' })).toHaveAttribute(
      'href',
      'https://example.com',
    );
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.keyboard.press('ControlOrMeta+k');
    await dialog.getByLabel('URL').fill('/pricing');
    await dialog.getByLabel('Text').fill('Prices');
    await dialog.getByRole('button', { name: 'Save link' }).click();
    await page.keyboard.press('Enter');
    await button('Insert table').click();
    await page.keyboard.type('Scale');
    await button('Table').click();
    await page.getByRole('menuitem', { name: 'Delete column' }).click();
    await mode('Markdown').click();
    await expect(field('Content')).toHaveValue(/^\[Prices\]\(\/pricing\)\n\n(\|.*\|\n)\| - \| - \|\n/);
  });

  test('opens Markdown as rich text only if nothing is lost', async () => {
    await field('Content').fill('A note.[^1]\n\n[^1]: <b>More</b>');
    // The choice isn't accepted.
    await mode('Rich text').click();
    await page.getByText("Rich text doesn't support footnotes or HTML. Edit this post as Markdown.").waitFor();
    await expect(mode('Markdown')).toBeChecked();
    await field('Content').fill(content);
    await mode('Rich text').click();
    await field('Content').getByRole('heading', { name: 'What you need' }).waitFor();
    await expect(field('Content').getByRole('checkbox')).toHaveCount(2);
    await mode('Markdown').click();
    await expect(field('Content')).toHaveValue(content);
    await waitForSave();
  });

  test('keeps the text when the session ends, and restores it after the sign-in', async () => {
    await settlePage(page, url(`/admin/blog/${id}`));
    await field('Content').waitFor();
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await field('Title').fill('Kept over the sign-in');
    await page.getByText('You are logged out. Logging in again...', { exact: true }).first().waitFor();
    await page.waitForURL('**/auth?**');
    await page.context().addCookies(cookies);
    await settlePage(page, url(`/admin/blog/${id}`));
    await page.getByText('Restored unsaved changes from your last visit.').waitFor();
    await expect(field('Title')).toHaveValue('Kept over the sign-in');
    await waitForSave();
    expect((await article()).fields.title).toBe('Kept over the sign-in');
  });

  test('has no violations in its dialogs, and fits all screens', async ({ browser }) => {
    const send = async (method: 'POST' | 'PUT', path: string, data: object) => {
      const response = await page.request.fetch(url(path), { method, data, headers: { origin: admin.product.url } });
      expect(response.ok(), await response.text()).toBe(true);
      return (await response.json()) as Article & { id: string };
    };
    const { id } = await send('POST', '/api/admin/blog/posts', { title: 'Smaller', content });
    await settlePage(page, url(`/admin/blog/${id}`));
    await button('Preview').click();
    const link = page.getByRole('link', { name: 'Open preview' });
    const { pathname } = new URL((await link.getAttribute('href')) ?? '');
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const visitor = await (await browser.newContext()).newPage();
    await checkScreens(visitor, url(pathname), () => visitor.getByText(/^This is a draft\./).waitFor());
    await visitor.context().close();
    await mode('Markdown').click();
    await field('Content').fill('Another text.');
    await page.keyboard.press('ControlOrMeta+s');
    await waitForSave();
    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Revisions' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revisions' });
    await dialog.getByRole('button', { name: /^Changed by the API/ }).click();
    await dialog.getByRole('region', { name: 'Content' }).locator('ins').first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const { fields, version } = await article(id);
    const theirs = { ...fields, title: 'Theirs' };
    await send('PUT', `/api/admin/articles/${id}/draft`, { fields: theirs, version, tab: randomUUID() });
    await field('Title').fill('Mine');
    await page.getByRole('dialog', { name: 'This post has newer changes' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await button('Use their text').click();
    await expect(field('Title')).toHaveValue('Theirs');
    await checkScreens(page, url(`/admin/blog/${id}`), () => button('Publish').waitFor());
  });

  test('schedules a post in the time zone of its author, and the dispatcher publishes it', async ({ browser }) => {
    const context = await browser.newContext({
      baseURL: admin.product.url,
      timezoneId: 'America/New_York',
      storageState: await admin.page.context().storageState(),
    });
    const author = await context.newPage();
    await settlePage(author, `${admin.product.url}/admin/blog?new=true`);
    await author.getByRole('textbox', { name: 'Title', exact: true }).fill('At the right time');
    await author.getByRole('radio', { name: 'Markdown', exact: true }).click();
    await author.getByRole('textbox', { name: 'Content', exact: true }).fill('Now.');
    await author.getByRole('button', { name: 'Schedule', exact: true }).click();
    const dialog = author.getByRole('dialog', { name: 'Schedule post' });
    await dialog.getByText('Time zone: America/New_York').waitFor();
    await dialog.getByLabel('Date').fill('2020-01-01');
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await dialog.getByText('Choose a time in the future.').waitFor();
    const { year, day } = findNextClockChange();
    await dialog.getByLabel('Date').fill(`${year}-03-${String(day).padStart(2, '0')}`);
    await dialog.getByLabel('Time', { exact: true }).fill('02:30');
    await dialog.getByText('Clocks move forward and skip this time.').waitFor();
    await dialog.getByText(`Mar ${day}, ${year}, 3:30 AM EDT (Mar ${day}, ${year}, 7:30 AM UTC)`).waitFor();
    expect(await findViolations(author)).toEqual([]);
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await author.getByText(`Scheduled for Mar ${day}, ${year}, 3:30 AM`).waitFor();
    const warning = author.getByText("Changes after scheduling aren't included.", { exact: true });
    await expect(warning).toHaveCount(0);
    await author.getByRole('textbox', { name: 'Content', exact: true }).fill('Now, and here.');
    await warning.waitFor();
    await author.getByRole('button', { name: 'Update scheduled post', exact: true }).click();
    await expect(warning).toHaveCount(0);
    const { db } = admin.world;
    const scheduledId = new URL(author.url()).pathname.split('/').at(-1) ?? '';
    const row = db.selectFrom('articles').select(['status', 'publishAt']).where('id', '=', scheduledId);
    expect(await row.executeTakeFirst()).toMatchObject({
      status: 'scheduled',
      publishAt: new Date(Date.UTC(year, 2, day, 7, 30)),
    });
    const get = () => author.request.get(`${admin.product.url}/api/blog/posts/at-the-right-time`);
    expect((await get()).status()).toBe(404);
    const due = new Date(Date.now() - 1_000);
    await db.updateTable('articles').set({ publishAt: due }).where('id', '=', scheduledId).execute();
    await admin.product.spawn('dispatcher');
    await expect.poll(async () => (await get()).status(), { timeout: 60_000 }).toBe(200);
    const published = { publishedAt: due.toISOString(), html: expect.stringContaining('Now, and here.') };
    expect(await (await get()).json()).toMatchObject(published);
    // The editor, which is still open, reads the status when the post is due.
    await author.evaluate(() => window.dispatchEvent(new Event('focus')));
    await author.getByText('Published', { exact: true }).waitFor();
    await expect(author.getByRole('button', { name: 'Unschedule', exact: true })).toHaveCount(0);
    await context.close();
  });
});

/** Returns the second Sunday of March of the next year. Clocks in New York then skip the time from 2 to 3 AM. */
function findNextClockChange() {
  const year = new Date().getUTCFullYear() + 1;
  return { year, day: 8 + ((7 - new Date(Date.UTC(year, 2, 8)).getUTCDay()) % 7) };
}
