import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Browser, expect } from '@playwright/test';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { corruptPng, makeImage } from '@uprez/testing/make-image';
import { waitUntil } from '@uprez/testing/wait-until';
import { readZip } from '../../../services/gateway/test/support/http/read-zip.ts';
import {
  button,
  choose,
  fileOf,
  holdUploads,
  imageAt,
  jobsOf,
  list,
  nameOf,
  openBulkPage,
  password,
  rowOf,
  rows,
  unitsOf,
} from './support/bulk-page.ts';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';
import { readKept, waitUntilKept } from './support/kept-files.ts';

const good = 97;
const folderOf = (index: number) => `day ${1 + (index % 4)}`;

test.describe('the bulk processor', () => {
  let site: Site;
  let browser: Browser;
  let album: string;
  test.beforeAll(async ({ site: started, browser: launched }) => {
    site = started;
    browser = launched;
    album = path.join(await mkdtemp(path.join(os.tmpdir(), 'uprez-album-')), 'album');
    const whole = await makeImage({ width: 300, height: 200, seed: 9 });
    const write = async (folder: string, name: string, bytes: Buffer | string) => {
      await mkdir(path.join(album, folder), { recursive: true });
      await writeFile(path.join(album, folder, name), bytes);
    };
    for (let index = 0; index < good; index += 1) await write(folderOf(index), nameOf(index), imageAt(index));
    await write('broken', 'empty.png', '');
    await write('broken', 'letter.png', '%PDF-1.7 not an image');
    // The header is valid, so the upload succeeds and the job fails.
    await write('broken', 'torn.png', corruptPng(whole));
  });
  test.afterAll(async () => {
    if (album) await rm(path.dirname(album), { recursive: true });
  });

  const openDashboard = (tier: Tier) => openBulkPage({ site, browser, tier });

  test('processes a folder of 100 files with 3 invalid ones across a reload', async () => {
    const { page, id } = await openDashboard('pro');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.getByLabel('Folder of images').setInputFiles(album);
    await page.getByText('98 images', { exact: true }).waitFor();
    await expect(rows(page).first()).toHaveAttribute('aria-setsize', '100');
    // Rows outside the viewport aren't drawn. A busy page draws them late, so the search starts over at the end.
    const find = async (name: string) => {
      let top = 0;
      const isDrawn = async () => {
        if ((await rowOf(page, name).count()) > 0) return true;
        await page.evaluate((y) => window.scrollTo(0, y % document.body.scrollHeight), top);
        top += 500;
        return false;
      };
      await waitUntil(isDrawn, { what: name });
      return rowOf(page, name).textContent();
    };
    expect(await find('empty.png')).toContain('Not added');
    expect(await find('empty.png')).toContain('This file is empty (0 bytes).');
    expect(await find('letter.png')).toContain('This is a PDF file.');
    await waitUntilKept(page, 98);
    const uploads = await holdUploads(page, 40);
    await button(page, 'Process All').click();
    await waitUntil(async () => uploads.isHolding() && (await jobsOf(site, id)).length > 20);
    await expect(button(page, 'Process All')).toBeDisabled();
    await expect(button(page, 'Clear All')).toBeDisabled();
    await page.getByText(/^[1-9]\d* of 98 done/).waitFor();
    await page.unroute('**/api/batches/*/items/*');
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    await page
      .getByText('97 images processed successfully, 1 failed', { exact: true })
      .first()
      .waitFor({ timeout: 60_000 });
    await page.getByText('97 of 98 done, 1 failed', { exact: true }).waitFor();
    expect(await find('torn.png')).toContain('Failed');
    await page.getByRole('radio', { name: 'Failed (1)' }).check();
    await expect(rows(page)).toHaveCount(1);
    await expect(rowOf(page, 'torn.png')).toContainText('damaged or incomplete');
    expect(await findViolations(page)).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download all as ZIP (97)' }).click(),
    ]);
    const names = [...readZip(await readFile(await file.path())).keys()];
    const expected = Array.from(
      { length: good },
      (_, index) => `album/${folderOf(index)}/${nameOf(index).replace('.png', '-2x.png')}`,
    );
    expect(names.toSorted()).toEqual(expected.toSorted());
    expect((await jobsOf(site, id)).filter(({ status }) => status === 'completed')).toHaveLength(good);
    expect(await unitsOf(site, id)).toEqual({ reserved: 98, given: 1 });
    expect((await site.product.settle(20_000)).errors).toEqual([]);
    await page.context().close();
  });

  test('puts files over the batch limit on hold, and lists rejected files with their reason', async () => {
    const { page } = await openDashboard('pro');
    await choose(page, 112);
    await page.getByText('Too Many Files', { exact: true }).first().waitFor();
    await page
      .getByText('Maximum 100 images allowed. Extra files have been removed.', { exact: true })
      .first()
      .waitFor();
    await page.getByText('100 images', { exact: true }).waitFor();
    await page.getByText('12 images on hold', { exact: true }).click();
    await page.getByText(nameOf(111)).waitFor();
    await button(page, 'Clear All').click();
    await page.getByText('12 images', { exact: true }).waitFor();
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') };
    await page.getByLabel('Image files').setInputFiles([notes]);
    await page.getByText('1 file not added', { exact: true }).first().waitFor();
    await expect(rowOf(page, 'notes.txt')).toContainText("This file isn't a supported image. Use JPEG");
    await page.getByText('12 images', { exact: true }).waitFor();
    await page.context().close();
  });

  test('processes the first 3 files on a plan with a limit of 3, and shows the upgrade', async () => {
    const { page, id } = await openDashboard('free');
    await choose(page, 5);
    await page.getByRole('heading', { name: 'Your plan allows 3 images per batch' }).waitFor();
    await page.getByText(/^2 images will stay in the list for later batches\. Upgrade to /).waitFor();
    await expect(rows(page).filter({ hasText: 'Later batch' })).toHaveCount(2);
    expect(await findViolations(page)).toEqual([]);
    const uploads = await holdUploads(page, 0);
    await button(page, 'Process first 3 images').click();
    await page.getByText('0 of 3 done', { exact: true }).waitFor();
    await uploads.letGo();
    await page.getByText('3 images processed successfully', { exact: true }).first().waitFor();
    expect((await jobsOf(site, id)).map(({ filename }) => filename).toSorted()).toEqual([0, 1, 2].map(nameOf));
    await expect(rows(page)).toHaveCount(5);
    await button(page, `Remove ${nameOf(4)}`).click();
    await rowOf(page, nameOf(4)).waitFor({ state: 'detached' });
    await button(page, 'Process All').click();
    await page.getByText('4 of 4 done', { exact: true }).waitFor();
    await page.context().close();
  });

  test('shows the required and remaining units, and processes as many images as remain', async () => {
    const { page, id } = await openDashboard('free');
    await page.route('**/api/dashboard/stats', (route) => route.abort());
    const taken = { units: -98, kind: 'expire', meter: 'standard', reason: 'Taken by a test' } as const;
    const allowance = site.db.selectFrom('allowances').select('id').where('accountId', '=', id);
    const { id: allowanceId } = await allowance.where('meter', '=', 'standard').executeTakeFirstOrThrow();
    await site.db.updateTable('allowances').set({ unitsLeft: 2 }).where('id', '=', allowanceId).execute();
    await site.db
      .insertInto('ledger')
      .values({ ...taken, accountId: id, allowanceId })
      .execute();
    await choose(page, 3);
    await button(page, 'Process All').click();
    await page.getByText('This batch uses 3 standard images, but you have only 2 left.', { exact: true }).waitFor();
    await page.getByText(/^To process the other image, wait until .+ or upgrade your plan\.$/).waitFor();
    await expect(rowOf(page, nameOf(2))).toContainText('Over quota');
    await expect(button(page, 'Process All')).toHaveCount(0);
    expect(await jobsOf(site, id)).toEqual([]);
    await button(page, 'Process 2 now').click();
    await page.getByText('2 images processed successfully', { exact: true }).first().waitFor();
    await expect(rowOf(page, nameOf(2))).toContainText('Pending');
    expect(await jobsOf(site, id)).toHaveLength(2);
    await page.context().close();
  });

  test('lists files that could not be restored, and continues when they are added again', async () => {
    const { page, id } = await openDashboard('pro');
    page.on('dialog', (dialog) => void dialog.accept());
    await choose(page, 4);
    const uploads = await holdUploads(page, 1);
    await button(page, 'Process All').click();
    await waitUntil(async () => uploads.isHolding() && (await jobsOf(site, id)).length === 1);
    await rowOf(page, nameOf(0)).getByText('Completed').waitFor();
    // The state after the browser evicted the stored files.
    await page.evaluate(() => indexedDB.deleteDatabase('uprez'));
    await page.reload();
    await page.unroute('**/api/batches/*/items/*');
    await page.getByText("3 files couldn't be restored", { exact: true }).waitFor();
    await expect(rows(page).filter({ hasText: 'File needed' })).toHaveCount(3);
    await page.getByLabel('Image files').setInputFiles([3, 1, 2].map((index) => fileOf(nameOf(index), imageAt(index))));
    await page.getByText('4 of 4 done', { exact: true }).waitFor();
    await expect(rows(page)).toHaveCount(4);
    expect(await unitsOf(site, id)).toEqual({ reserved: 4, given: 0 });
    await page.context().close();
  });

  test('continues after signing in again when the session ended during the run', async () => {
    const { page, id, email } = await openDashboard('pro');
    await choose(page, 6);
    const uploads = await holdUploads(page, 2);
    await button(page, 'Process All').click();
    await waitUntil(async () => uploads.isHolding() && (await jobsOf(site, id)).length === 2);
    await site.db.deleteFrom('sessions').execute();
    await uploads.letGo();
    await page.waitForURL(/\/auth\?next=/);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await button(page, 'Sign In').click();
    await page.getByText('6 images processed successfully', { exact: true }).first().waitFor();
    expect((await jobsOf(site, id)).map(({ filename }) => filename).toSorted()).toEqual([0, 1, 2, 3, 4, 5].map(nameOf));
    expect(await unitsOf(site, id)).toEqual({ reserved: 6, given: 0 });
    await page.context().close();
  });

  test('signing out deletes all data of the account in every tab', async () => {
    const { page } = await openDashboard('pro');
    await choose(page, 2);
    await waitUntilKept(page, 2);
    const other = await page.context().newPage();
    await other.goto('/account');
    await other.getByRole('heading', { level: 1 }).waitFor();
    await button(page, 'Sign Out').click();
    await page.waitForURL(`${site.url}/`);
    await other.waitForURL(/\/auth\?next=/);
    await page.getByRole('link', { name: 'Get Started' }).first().waitFor();
    expect(await readKept(page)).toEqual({ files: 0, names: 0, entries: [] });
    expect(await other.evaluate(() => Object.keys(sessionStorage).filter((name) => name.startsWith('uprez')))).toEqual(
      [],
    );
    await page.context().close();
  });

  test('asks before signing out during an upload, and continues when canceled', async () => {
    const { page, id } = await openDashboard('pro');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await choose(page, 6);
    const uploads = await holdUploads(page, 1);
    await button(page, 'Process All').click();
    await waitUntil(async () => uploads.isHolding() && (await jobsOf(site, id)).length === 1);
    await button(page, 'Sign Out').click();
    const question = page.getByRole('alertdialog', { name: 'Sign out now?' });
    await question.waitFor();
    expect(await findViolations(page)).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect((await page.context().request.get('/api/user')).status()).toBe(200);
    await expect(rows(page).filter({ hasText: 'Uploading' })).toHaveCount(4);
    await button(page, 'Sign Out').click();
    await question.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${site.url}/`);
    await page.getByRole('link', { name: 'Get Started' }).first().waitFor();
    expect(asked).toEqual([]);
    expect((await page.context().request.get('/api/user')).status()).toBe(401);
    expect(await readKept(page)).toEqual({ files: 0, names: 0, entries: [] });
    await page.context().close();
  });

  test('deletes the list of an ended session when another account signs in', async () => {
    const { page, id } = await openDashboard('pro');
    await choose(page, 2);
    await waitUntilKept(page, 2);
    await site.db.deleteFrom('sessions').where('userId', '=', id).execute();
    await page.goto('/dashboard');
    await page.waitForURL(/\/auth\?next=/);
    await waitUntilKept(page, 2);
    await page.getByRole('tab', { name: 'Sign Up' }).click();
    await page.getByLabel('First Name').fill('Ada');
    await page.getByLabel('Email').fill(`${randomUUID()}@example.test`);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('checkbox', { name: /^I am 13 or older/ }).check();
    await button(page, 'Create Account').click();
    await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
    await page.getByLabel('Choose images').waitFor({ state: 'attached' });
    await page.getByText(/Up to 3 images per batch/).waitFor();
    const left = await readKept(page);
    expect([left.files, left.names]).toEqual([0, 0]);
    expect(left.entries).not.toContain(`uprez.bulk.${id}`);
    await page.context().close();
  });

  test('shows in a second tab that its list is not saved, and continues the list of the first once it is closed', async () => {
    const { page } = await openDashboard('pro');
    await choose(page, 1);
    const second = await page.context().newPage();
    const asked: string[] = [];
    second.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await second.goto('/dashboard');
    await choose(second, 2);
    await second.getByText(/^Your list is open in another tab/).waitFor();
    await expect(page.getByText(/^Your list is open in another tab/)).toHaveCount(0);
    expect(await findViolations(second)).toEqual([]);
    await second.reload();
    expect(asked).toEqual(['beforeunload']);
    await waitUntilKept(page, 1);
    await page.close();
    await second.getByText('1 image', { exact: true }).waitFor();
    await page.context().close();
  });

  test('keeps sizes and bytes after a reload, and offers no retry for invalid files', async () => {
    const { page } = await openDashboard('pro');
    const torn = corruptPng(await makeImage({ width: 300, height: 200, seed: 9 }));
    await page
      .getByLabel('Choose images')
      .setInputFiles([fileOf('b-10.png', imageAt(0)), fileOf('torn.png', torn), fileOf('b-9.png', imageAt(0))]);
    await page.getByText('3 images', { exact: true }).waitFor();
    expect(
      await list(page)
        .locator('p[title]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('title'))),
    ).toEqual(['b-9.png', 'b-10.png', 'torn.png']);
    await button(page, 'Process All').click();
    await page.getByText('2 of 3 done, 1 failed', { exact: true }).waitFor();
    const facts = () => rowOf(page, 'b-9.png').textContent();
    const before = await facts();
    expect(before).toMatch(/KB · 64 x 64 -> 128 x 128 · [\d.]+ KB/);
    await expect(button(page, 'Process All')).toBeDisabled();
    await expect(page.getByRole('button', { name: /^Retry failed images/ })).toHaveCount(0);
    await page.reload();
    await page.getByText('2 of 3 done, 1 failed', { exact: true }).waitFor();
    await waitUntil(async () => (await facts()) === before, { what: String(before) });
    await expect(button(page, 'Process All')).toBeDisabled();
    await page.context().close();
  });
});
