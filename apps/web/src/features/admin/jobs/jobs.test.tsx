import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { JobEngine } from '@uprez/contracts/policy/images/engines';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { makeReceipt } from '@uprez/testing/deliver-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { smallPipeline } from '@uprez/testing/make-job';
import type { SignedIn } from '@uprez/testing/sign-up';
import { expect, it } from 'vitest';
import { chooseOption, press } from '../../../../test/component/admin-page.ts';
import {
  choose,
  db,
  fill,
  makeAccount,
  makeAdmin,
  openPage,
  readPath,
  site,
} from '../../../../test/component/open-page.tsx';

const admin = fileFixture(makeAdmin);

/** An account with a name, and no jobs. */
async function makeAda(): Promise<SignedIn> {
  const ada = await makeAccount();
  await db.updateTable('users').set({ firstName: '<b>Ada</b>' }).where('id', '=', ada.user.id).execute();
  return ada;
}

type NewJob = { filename: string; status: JobStatus; engine?: JobEngine; errorCode?: ErrorCode };

/** Inserts a job, which no worker runs. Returns its ID. */
async function insertJob({ user }: SignedIn, { engine = 'standard', ...job }: NewJob): Promise<string> {
  const id = randomUUID();
  const finishedAt = job.status === 'queued' ? null : new Date();
  const receipt = job.status === 'completed' ? JSON.stringify(makeReceipt()) : null;
  const plan = JSON.stringify({ ...smallPipeline, engine });
  const recipe = JSON.stringify({ ...recipeDefaults, scaleFactor: 2, engine });
  const facts = { id, accountId: user.id, kind: 'image', estimatedSeconds: 0.1, sourceBytes: 1_000 } as const;
  await db
    .insertInto('jobs')
    .values({ ...facts, ...job, plan, recipe, receipt, finishedAt, startedAt: finishedAt })
    .execute();
  return id;
}

const openJob = async (id: string, name: string, account = admin) => {
  const user = await openPage(`/admin/jobs/${id}`, account);
  await screen.findByRole('heading', { level: 1, name });
  return user;
};
const findList = () => screen.findByRole('table', { name: 'Jobs' });
const waitForJobs = (count: number) =>
  waitFor(async () => expect((await findList()).querySelectorAll('tbody tr')).toHaveLength(count));

/** Opens a dialog with a button, and confirms it with a reason. */
async function confirm(user: UserEvent, [opener, submit, consequence]: [string, string, string]): Promise<void> {
  await press(user, opener);
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByText(consequence, { exact: false });
  await fill(user, within(dialog).getByLabelText(/^Reason/), `<i>${opener}</i>`);
  await press(user, submit, dialog);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

it('shows jobs to viewers, without buttons', async () => {
  const [ada, viewer] = [await makeAda(), await makeAdmin('viewer')];
  const done = await insertJob(ada, { filename: 'done.png', status: 'completed' });
  const failed = await insertJob(ada, { filename: 'failed.png', status: 'failed', errorCode: 'corrupt_image' });
  await openPage(`/admin/jobs?account=${ada.user.id}`, viewer);
  await screen.findByText('done.png');
  await screen.findByText('Queue');
  expect(screen.queryByRole('button', { name: /^(Pause|Resume|Drain)/ })).toBeNull();
  await openJob(done, 'done.png', viewer);
  await screen.findByText('Result (SHA-256)');
  expect(screen.queryByRole('button', { name: /^(Retry|Requeue|Cancel)/ })).toBeNull();
  await openJob(failed, 'failed.png', viewer);
  expect(screen.queryByRole('button', { name: /^(Retry|Requeue|Cancel)/ })).toBeNull();
});

it('says that the original was deleted in the meantime, and disables the button', async () => {
  const ada = await makeAda();
  const id = await insertJob(ada, { filename: 'lost.png', status: 'failed', errorCode: 'corrupt_image' });
  const stored = { id: randomUUID(), accountId: ada.user.id, jobId: id, kind: 'source', key: randomUUID() } as const;
  await db
    .insertInto('objects')
    .values({ ...stored, state: 'stored', size: 9, sha256: '0'.repeat(64) })
    .execute();
  await db.updateTable('jobs').set({ sourceId: stored.id }).where('id', '=', id).execute();
  const user = await openJob(id, 'lost.png');
  await press(user, 'Retry');
  const dialog = await screen.findByRole('dialog');
  await fill(user, within(dialog).getByLabelText(/^Reason/), 'asked for it');
  await db.updateTable('objects').set({ state: 'deleting' }).where('id', '=', stored.id).execute();
  await press(user, 'Retry job', dialog);
  await within(dialog).findByText('The original of this image was deleted. Ask the user to upload it again.');
  expect(within(dialog).getByLabelText(/^Reason/)).toHaveValue('asked for it');
  await press(user, 'Cancel', dialog);
  await screen.findByText('The original was deleted. Ask the user to upload the image again.');
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDisabled();
});

it('requeues a job whose engine is paused, and says that another administrator resumed the engine first', async () => {
  const pause = (paused: boolean) => admin.client.adminPauseEngine({ params: { id: 'art' }, body: { paused } });
  const id = await insertJob(await makeAda(), { filename: 'third.png', status: 'queued', engine: 'art' });
  const user = await openPage('/admin/jobs', admin);
  await confirm(user, ['Pause art', 'Pause engine', 'Running jobs finish.']);
  await screen.findByRole('button', { name: 'Resume art' });
  await openJob(id, 'third.png');
  await screen.findByText('Engine paused');
  await confirm(user, ['Requeue', 'Requeue job', 'Current state: queued, attempt 0.']);
  await screen.findByText('Job requeued');
  await openPage('/admin/jobs', admin);
  await confirm(user, ['Resume art', 'Resume engine', 'Waiting jobs of this engine start again.']);
  await screen.findByRole('button', { name: 'Pause art' });
  await pause(true);
  await openPage('/admin/jobs', admin);
  await press(user, 'Resume art');
  await pause(false);
  await press(user, 'Resume engine', await screen.findByRole('dialog'));
  await screen.findByText('Nothing changed');
  await screen.findByRole('button', { name: 'Pause art' });
});

it('drains one worker, and resumes it and a worker that is gone', async () => {
  const [name, gone] = [`worker-${randomUUID()}`, `gone-${randomUUID()}`];
  // No process repeats its sign.
  const lastSignAt = new Date('2100-01-01T00:00:00Z');
  const worker = { id: name, name, engines: ['standard'], device: 'cpu', slots: 1, lastSignAt };
  await db.insertInto('workers').values(worker).execute();
  const user = await openPage('/admin/jobs', admin);
  const item = within((await screen.findByText(name)).closest('li') as HTMLElement);
  item.getByText('Live');
  expect(await screen.findAllByText('No live worker')).not.toHaveLength(0);
  await confirm(user, [`Drain ${name}`, 'Drain worker', 'It stays drained after a restart.']);
  await item.findByText('Drained');
  await admin.client.adminDrainWorker({ params: { id: gone }, body: { draining: true } });
  await confirm(user, [`Resume ${name}`, 'Resume worker', 'The worker starts waiting jobs again.']);
  await waitFor(() => expect(item.queryByText('Drained')).toBeNull());
  await confirm(user, [`Resume ${gone}`, 'Resume worker', 'The worker starts waiting jobs again.']);
  await waitFor(() => expect(screen.queryByText(gone)).toBeNull());
  await db.deleteFrom('workers').where('id', '=', worker.id).execute();
});

it('pauses the custom model of a worker, and counts and lists its jobs', async () => {
  const ada = await makeAda();
  await insertJob(ada, { filename: 'custom.png', status: 'queued', engine: 'custom:my-model' });
  const worker = { name: 'custom-1', pool: null, engines: ['custom:my-model'], device: 'cpu', slots: 1 };
  await db
    .insertInto('workers')
    .values({ id: 'custom-1-7', ...worker, lastSignAt: new Date() })
    .execute();
  const user = await openPage('/admin/jobs', admin);
  await press(user, 'Pause custom:my-model');
  await press(user, 'Pause engine');
  await screen.findByRole('button', { name: 'Resume custom:my-model' });
  await press(user, 'Resume custom:my-model');
  await press(user, 'Resume engine');
  await screen.findByRole('button', { name: 'Pause custom:my-model' });
  await user.click(screen.getByRole('link', { name: '1: show queued jobs, custom:my-model' }));
  await waitFor(() => expect(readPath()).toBe('/admin/jobs?engine=custom%3Amy-model&status=queued'));
  await waitForJobs(1);
  await db.deleteFrom('workers').where('id', '=', 'custom-1-7').execute();
});

it('leads from a number to its rows, filters them, and exports exactly them', async () => {
  const ada = await makeAda();
  const failure = { status: 'failed', errorCode: 'corrupt_image' } as const;
  for (const filename of ['first.png', '=second.png', 'third.png']) await insertJob(ada, { filename, ...failure });
  await insertJob(ada, { filename: 'fourth.png', status: 'expired' });
  const user = await openPage('/admin/jobs', admin);
  await user.click(await screen.findByRole('link', { name: /^\d+: show failed jobs$/ }));
  await waitFor(() => expect(readPath()).toBe('/admin/jobs?status=failed&view=finished_today'));
  await findList();
  await fill(user, screen.getByRole('searchbox'), ada.email);
  await waitFor(() => expect(readPath()).toContain('search='));
  await waitForJobs(3);
  await choose(user, 'Actions for =second.png', 'Show only this error');
  await waitFor(() => expect(readPath()).toContain('error=corrupt_image'));
  await choose(user, 'Actions for =second.png', 'Show only this account');
  await screen.findByRole('button', { name: 'Remove filter: Account: <b>Ada</b>' });
  await waitForJobs(3);
  await fill(user, screen.getByRole('searchbox'), '=second');
  await waitForJobs(1);
  const read = async (name: string) =>
    (await admin.fetch(site.url + screen.getByRole('link', { name }).getAttribute('href'))).text();
  const rows = [{ filename: '=second.png', email: ada.email, status: 'failed', error: 'corrupt_image' }];
  expect(JSON.parse(await read('Export JSON'))).toMatchObject(rows);
  expect(await read('Export CSV')).toContain(",'=second.png,");
  await fill(user, screen.getByRole('searchbox'), ada.email);
  await press(user, 'Remove filter: Account: <b>Ada</b>');
  await chooseOption(user, 'Error', 'processing_timeout');
  await screen.findByText('No matches');
  await press(user, 'Clear filters');
  await waitFor(() => expect(readPath()).toBe('/admin/jobs'));
});

it('lists the jobs of a user, none of which is stuck, and says that a job is missing', async () => {
  const ada = await makeAda();
  for (const filename of ['first.png', 'second.png']) await insertJob(ada, { filename, status: 'expired' });
  const user = await openPage(`/admin/users/${ada.user.id}?tab=jobs`, admin);
  await user.click(await screen.findByRole('link', { name: 'All jobs of this user' }));
  await waitFor(() => expect(readPath()).toBe(`/admin/jobs?account=${ada.user.id}`));
  await waitForJobs(2);
  await openPage(`/admin/jobs?view=stuck&account=${ada.user.id}`, admin);
  await screen.findByText('No matches');
  const other = await openPage(`/admin/jobs/${randomUUID()}`, admin);
  await screen.findByRole('heading', { level: 1, name: 'Job not found' });
  await other.click(screen.getByRole('link', { name: 'Show all jobs' }));
  await waitFor(() => expect(readPath()).toBe('/admin/jobs'));
  await findList();
});
