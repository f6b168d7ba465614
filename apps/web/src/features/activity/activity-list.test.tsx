import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { dashboardRules } from '@uprez/contracts/policy/admin/dashboard-rules';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import type { SignedIn } from '@uprez/testing/sign-up';
import { expect, it, onTestFinished } from 'vitest';
import { intercept, makeProblem } from '../../../test/component/intercept.ts';
import { choose, db, fill, makeAccount, openPage, readPath } from '../../../test/component/open-page.tsx';
import { clearTabData } from '../../lib/session/account-data.ts';

const tab = '/dashboard?tab=activity';
/** What the page shows of a pipeline. */
const plan = {
  engine: 'standard',
  source: { width: 320, height: 240, format: 'png' },
  output: { width: 640, height: 480, format: 'png' },
  estimate: { seconds: 0.1 },
};

/** Inserts a job without files: one that failed, or one whose result was deleted. */
async function insertJob(
  { user }: SignedIn,
  filename: string,
  { errorCode = null, options = { scaleFactor: 2 } }: { errorCode?: ErrorCode | null; options?: Partial<Recipe> } = {},
): Promise<void> {
  await db
    .insertInto('jobs')
    .values({
      id: randomUUID(),
      accountId: user.id,
      filename,
      kind: 'image',
      status: errorCode ? 'failed' : 'expired',
      errorCode,
      recipe: JSON.stringify({ ...recipeDefaults, ...options }),
      plan: JSON.stringify(plan),
      estimatedSeconds: 0.1,
      sourceBytes: 1_000,
      startedAt: new Date(),
      finishedAt: new Date(),
    })
    .execute();
}

/** An account with a deleted and a failed image. */
async function makeActiveAccount(): Promise<SignedIn> {
  const account = await makeAccount();
  await insertJob(account, 'whole.png');
  await insertJob(account, 'torn.png', { errorCode: 'corrupt_image' });
  return account;
}

const findCards = async () =>
  within(await screen.findByRole('list', { name: 'Recent Activity' })).getAllByRole('listitem');
const findCard = async (name: string) =>
  (await screen.findByText(name, { selector: 'h2' })).closest('li') as HTMLElement;
const isGone = (name: string) => waitFor(() => expect(screen.queryByText(name, { selector: 'h2' })).toBeNull());

it('shows the time of day of each image, and why one failed', async () => {
  await openPage(tab, await makeActiveAccount());
  const time = (await findCard('whole.png')).querySelector('time');
  expect(time?.textContent).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M \S+$/);
  within(await findCard('torn.png')).getByText(/^The image is damaged/);
});

it('runs an image again with the same options, on the page that has all of them', async () => {
  onTestFinished(clearTabData);
  const account = await makeAccount();
  const options = { engine: 'photo', grain: 30, strength: 40, edges: 'wrap', alpha: 'data', format: 'webp' } as const;
  const other = { quality: 80, targetBytes: 50_000, metadata: 'all', gps: true, retention: 6 } as const;
  await insertJob(account, 'whole.png', { options: { ...options, ...other, scaleFactor: 2.66 } });
  const user = await openPage(tab, account);
  await choose(user, 'Actions for whole.png', 'Run again');
  await screen.findByText('Add whole.png to process it again with the same options.');
  expect(readPath()).toBe('/');
  const { state } = JSON.parse(localStorage.getItem('uprez.settings') ?? '{}');
  expect(state).toMatchObject({ ...options, ...other, scaleFactor: 2.66, detail: 'faithful' });
});

it('says that the original of a failed image was deleted', async () => {
  onTestFinished(clearTabData);
  const user = await openPage(tab, await makeActiveAccount());
  await choose(user, 'Actions for torn.png', 'Retry');
  await screen.findByText('The original was deleted');
  await screen.findByText('Add torn.png to process it again with the same options.');
  expect(readPath()).toBe('/');
});

it('searches file names, and clears the search with the filter', async () => {
  const account = await makeActiveAccount();
  const user = await openPage(`${tab}&search=torn`, account);
  await findCard('torn.png');
  const search = screen.getByRole('searchbox', { name: 'Search file names' });
  expect(search).toHaveValue('torn');
  await fill(user, search, 'WHOLE');
  await isGone('torn.png');
  await findCard('whole.png');
  expect(readPath()).toBe(`${tab}&search=WHOLE`);
  await fill(user, search, 'nothing has this name');
  await screen.findByText('No matching images');
  await user.click(screen.getByRole('button', { name: 'Clear filter' }));
  await findCard('torn.png');
  expect(search).toHaveValue('');
  expect(readPath()).toBe(tab);
});

it('filters by the status in the URL, and clears a filter without matches', async () => {
  const account = await makeActiveAccount();
  const user = await openPage(`${tab}&status=cancelled`, account);
  await screen.findByText('No matching images');
  await user.click(screen.getByRole('button', { name: 'Clear filter' }));
  await findCard('whole.png');
  expect(readPath()).toBe(tab);
  await user.click(screen.getByRole('combobox', { name: 'Status' }));
  await user.click(await screen.findByRole('option', { name: 'Failed' }));
  await isGone('whole.png');
  await findCard('torn.png');
  expect(readPath()).toBe(`${tab}&status=failed`);
});

it('says why an image was not deleted, and keeps it', async () => {
  const sentence = 'The service is temporarily unavailable. Try again in a moment.';
  intercept(/^\/api\/jobs\/[\w-]+$/, async () => makeProblem(503, 'service_unavailable', sentence));
  const user = await openPage(tab, await makeActiveAccount());
  await choose(user, 'Actions for torn.png', 'Delete now');
  const question = await screen.findByRole('alertdialog', { name: 'Delete this image?' });
  await user.click(within(question).getByRole('button', { name: 'Delete image' }));
  await screen.findByText("Couldn't delete image");
  await screen.findByText(sentence);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await findCard('torn.png');
});

it('loads more images in pages', async () => {
  const account = await makeAccount();
  for (let n = 0; n < 13; n += 1) await insertJob(account, `small-${n}.png`);
  const user = await openPage(tab, account);
  await screen.findByText(`${dashboardRules.recentActivity} of 13`);
  expect(await findCards()).toHaveLength(dashboardRules.recentActivity);
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  await screen.findByText('13 of 13');
  expect(await findCards()).toHaveLength(13);
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
});

it('loads more images although the newest ones change meanwhile', async () => {
  const account = await makeAccount();
  for (let n = 0; n < 13; n += 1) await insertJob(account, `small-${n}.png`);
  const signals = new EventEmitter();
  const asked = once(signals, 'asked');
  const shown = once(signals, 'shown');
  intercept(/^\/api\/dashboard/, async (send) => {
    await asked;
    return await send();
  });
  intercept(/^\/api\/jobs\?.*cursor=/, async (send) => {
    signals.emit('asked');
    await shown;
    return await send();
  });
  const user = await openPage(tab, account);
  await screen.findByText(`${dashboardRules.recentActivity} of 13`);
  await insertJob(account, 'newest.png');
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  await screen.findByText('Images processed');
  signals.emit('shown');
  await screen.findByText('14 of 14');
  await findCard('newest.png');
});

it('shows a placeholder when a thumbnail fails to load', async () => {
  intercept(/^\/api\/jobs\?/, async (send) => {
    const jobs = (await (await send()).json()) as Job[];
    return Response.json(jobs.map((job) => ({ ...job, thumbnailUrl: '/api/images/thumbnail/lost' })));
  });
  await openPage(tab, await makeActiveAccount());
  const card = await findCard('whole.png');
  const image = card.querySelector('img') as HTMLImageElement;
  expect(within(card).queryByRole('img', { name: 'No preview' })).toBeNull();
  fireEvent.error(image);
  await within(card).findByRole('img', { name: 'No preview' });
  expect(image).not.toBeInTheDocument();
});

it('keeps the focus on the page when a deleted image leaves the list', async () => {
  const user = await openPage(`${tab}&status=failed`, await makeActiveAccount());
  await choose(user, 'Actions for torn.png', 'Delete now');
  await user.click(await screen.findByRole('button', { name: 'Delete image' }));
  await screen.findByRole('dialog', { name: 'Deletion receipt' });
  await screen.findByText('No matching images');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
});
