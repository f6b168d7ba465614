import { expect, type Locator, type Page } from '@playwright/test';
import type { Role } from '@uprez/contracts/policy/admin/permissions';
import { corruptPng, makeImage } from '@uprez/testing/make-image';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { waitForToast } from '../support/toasts.ts';

const ada = 'ada@example.test';
const worker = 'worker-1';

test.describe('jobs of all accounts', () => {
  let admin: Admin;
  let page: Page;
  let adaPage: Page;
  let adaId = '';
  let whole: Buffer;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    const { product, world } = admin;
    const running = product.spawn('worker', { WORKER_NAME: worker });
    adaPage = await (await browser.newContext()).newPage();
    await admin.signUp(adaPage, ada);
    const named = { firstName: '<b>Ada</b>', emailVerified: true };
    await world.db.updateTable('users').set(named).where('email', '=', ada).execute();
    adaId = (await world.db.selectFrom('users').select('id').where('email', '=', ada).executeTakeFirstOrThrow()).id;
    whole = await makeImage({ width: 300, height: 200, format: 'png', seed: 4 });
    await (await running).ready();
    await waitForStatus(await upload('first.png'), 'failed');
  });
  test.afterAll(async () => {
    await adaPage?.context().close();
    await admin?.close();
  });

  const jobOf = (filename: string) =>
    admin.world.db
      .selectFrom('jobs')
      .select(['id', 'status'])
      .where('filename', '=', filename)
      .orderBy('createdAt')
      .execute();
  const waitForStatus = (name: string, status: string) =>
    expect.poll(async () => (await jobOf(name)).map((job) => job.status)).toEqual([status]);
  /** Uploads an image with a valid header, so the job fails while decoding. */
  async function upload(name: string, buffer = corruptPng(whole)): Promise<string> {
    const { url } = admin.product;
    const multipart = { image: { name, mimeType: 'image/png', buffer }, engine: 'standard' };
    const headers = { origin: url, prefer: 'respond-async' };
    const response = await adaPage.request.post(`${url}/api/images/process`, { multipart, headers });
    expect(response.status(), await response.text()).toBe(202);
    return name;
  }
  const setRole = (role: Role) =>
    admin.world.db.updateTable('users').set({ role }).where('email', '=', admin.email).execute();
  const put = (path: string, data: object) =>
    page.request.put(`${admin.product.url}/api/admin/${path}`, { data, headers: { origin: admin.product.url } });
  const button = (name: string, within: Page | Locator = page) => within.getByRole('button', { name, exact: true });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const toast = (text: string) => waitForToast(page, text);
  const waitForRows = (count: number) =>
    expect.poll(() => page.getByRole('table', { name: 'Jobs', exact: true }).locator('tbody tr').count()).toBe(count);
  const openJob = async (filename: string) => {
    const [job] = await jobOf(filename);
    await page.goto(`/admin/jobs/${job?.id}`);
    await heading(filename).waitFor();
  };
  const open = async (query = '') => {
    await page.goto(`/admin/jobs${query}`);
    await page.getByText(worker, { exact: true }).waitFor();
  };
  /** Opens a dialog with a button, and confirms it with a reason. */
  const confirm = async (opener: string, submit: string, consequence: string) => {
    await button(opener).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(consequence).waitFor();
    await dialog.getByLabel('Reason').fill(`<i>${opener}</i>`);
    await button(submit, dialog).click();
    await dialog.waitFor({ state: 'hidden' });
  };

  test('lets support retry a failed job while its original is stored, and nothing else', async () => {
    await setRole('support');
    await page.goto('/admin');
    const sidebar = page.getByRole('navigation', { name: 'Admin Panel' });
    await sidebar.getByRole('button', { name: 'Operations' }).click();
    await sidebar.getByRole('link', { name: 'Jobs', exact: true }).click();
    await waitForRows(1);
    await page.getByText(worker, { exact: true }).waitFor();
    await expect(page.getByRole('button', { name: /^(Pause|Resume|Drain)/ })).toHaveCount(0);
    await admin.row('first.png').getByRole('link', { name: '<b>Ada</b>' }).waitFor();
    await admin.row('first.png').locator('td').nth(2).click();
    await heading('first.png').waitFor();
    const owner = page.getByRole('link', { name: '<b>Ada</b>', exact: true });
    await expect(owner).toHaveAttribute('href', `/admin/users/${adaId}`);
    await page.getByText('The image is damaged or incomplete. Choose another one.').first().waitFor();
    await page.getByText('Refunded', { exact: true }).waitFor();
    await expect(page.locator('main img')).toHaveCount(0);
    await checkScreens(page, page.url(), () => button('Retry').waitFor());
    await expect(page.getByRole('button', { name: /Requeue|Cancel job/ })).toHaveCount(0);
    await button('Retry').click();
    await button('Cancel', page.getByRole('dialog')).click();
    await confirm('Retry', 'Retry job', "The user isn't charged.");
    await toast('Retry queued');
    await page.getByText('This job was already retried.', { exact: true }).waitFor();
    await expect(button('Retry')).toBeDisabled();
    const [, retry] = await jobOf('first.png');
    await page.getByRole('link', { name: retry?.id ?? '', exact: true }).click();
    await page.waitForURL(`**/${retry?.id}`);
    await page.getByText('Retry of', { exact: true }).waitFor();
    const audits = admin.world.db.selectFrom('audits').select(['action', 'reason']).where('action', '=', 'job.retry');
    expect(await audits.execute()).toEqual([{ action: 'job.retry', reason: '<i>Retry</i>' }]);
  });

  test('pauses an engine: users see a notice, and a job that waits is canceled', async () => {
    await setRole('owner');
    const settings = JSON.stringify({ state: { engine: 'standard' }, version: 1 });
    await adaPage.addInitScript((text) => localStorage.setItem('uprez.settings', text), settings);
    await adaPage.clock.install();
    await adaPage.goto(admin.product.url);
    const file = { name: 'open.png', mimeType: 'image/png', buffer: whole };
    await adaPage.getByLabel('Image file').setInputFiles(file);
    await adaPage.getByTitle('open.png', { exact: true }).first().waitFor();
    await open();
    await confirm('Pause standard', 'Pause engine', 'New jobs of this engine wait until you resume it');
    await button('Resume standard').waitFor();
    await adaPage.clock.fastForward(30_000);
    await adaPage.getByText('The standard engine is paused. Your image stays in the queue until it resumes.').waitFor();
    const engines = await (await page.request.get(`${admin.product.url}/api/engines`)).json();
    expect(engines).toContainEqual(expect.objectContaining({ name: 'standard', paused: true }));
    await upload('third.png');
    await openJob('third.png');
    await page.getByText('Engine paused', { exact: true }).waitFor();
    await button('Cancel job').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('a test');
    await admin.world.db.updateTable('jobs').set({ attempt: 1 }).where('filename', '=', 'third.png').execute();
    await button('Cancel job', dialog).click();
    await dialog.getByText('This job has changed in the meantime.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await button('Reload', dialog).click();
    await dialog.getByText('Current state: queued, attempt 1.').waitFor();
    await expect(dialog.getByLabel('Reason')).toHaveValue('a test');
    await button('Cancel job', dialog).click();
    await toast('Job canceled');
    await page.getByText('Canceled', { exact: true }).first().waitFor();
    await expect(page.getByRole('button', { name: /Requeue|Cancel job/ })).toHaveCount(0);
    expect((await put('engines/standard', { paused: false })).status()).toBe(200);
  });

  test('drains all workers, and resumes them', async () => {
    await setRole('owner');
    expect((await put('pools/gold', { fallback: 'outage', tiers: ['enterprise'] })).status()).toBe(200);
    await checkScreens(page, `${admin.product.url}/admin/jobs`, async () => {
      await page.getByText(worker, { exact: true }).waitFor();
      await button('Edit gold').waitFor();
      await admin.row('first.png').first().waitFor();
    });
    await button('New pool').click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await button('Cancel', page.getByRole('dialog')).click();
    await confirm('Drain all', 'Drain all workers', 'All new images wait until you resume the workers.');
    await page.getByText('All workers are drained. No job starts until you resume them.').waitFor();
    await upload('fourth.png', whole);
    await page.getByRole('link', { name: '1: show queued jobs', exact: true }).click();
    await waitForRows(1);
    await confirm('Resume all', 'Resume all workers', 'Waiting jobs start again.');
    await waitForStatus('fourth.png', 'completed');
    // The overview refreshes itself.
    await page.getByRole('link', { name: '1: show queued jobs', exact: true }).waitFor({ state: 'hidden' });
  });
});
