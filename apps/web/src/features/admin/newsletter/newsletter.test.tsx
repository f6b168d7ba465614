import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { makeSubscribers } from '@uprez/testing/factories/make-subscriber';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { chooseOption, findRow, press, waitForRows } from '../../../../test/component/admin-page.ts';
import { choose, db, fill, makeAdmin, openPage, readPath, site } from '../../../../test/component/open-page.tsx';

const admin = fileFixture(makeAdmin);

const findHeading = (name: string) => screen.findByRole('heading', { level: 1, name });
const findDetails = () => screen.findByRole('region', { name: 'Details' });
const findState = async (name: string) => within(await findDetails()).findByText(name);
const confirm = async (user: Awaited<ReturnType<typeof openPage>>, action: string) =>
  press(user, action, await screen.findByRole('alertdialog'));

/** Creates a campaign with a text of its own. */
async function makeCampaign() {
  const subject = `Larger <b>images</b> ${randomUUID()}`;
  const { data } = await admin.client.adminCreateCampaign({ body: { subject, text: 'Text' } });
  return { id: data.id, subject };
}

it('creates a draft of a post that was chosen in its editor, and deletes it', async () => {
  const title = `What is new ${randomUUID()}`;
  const { data } = await admin.client.adminCreatePost({ body: { title, content: 'Text', status: 'published' } });
  const user = await openPage(`/admin/blog/${data.id}`, admin);
  await choose(user, 'More actions', 'Send as newsletter');
  expect(await screen.findByRole('radio', { name: new RegExp(`^${title}`) })).toBeChecked();
  await press(user, 'Cancel');
  await waitFor(() => expect(readPath()).toBe('/admin/newsletter'));
  await press(user, 'New campaign');
  await fill(user, await screen.findByLabelText('Search posts'), title.slice(5));
  await user.click(await screen.findByRole('radio', { name: new RegExp(`^${title}`) }));
  await press(user, 'Create draft');
  await findHeading(title);
  await press(user, 'Delete');
  await confirm(user, 'Delete draft');
  await screen.findByText('Campaign deleted');
  await findHeading('Newsletter');
  const other = await makeCampaign();
  await openPage('/admin/newsletter', admin);
  await findRow(other.subject);
  expect(screen.queryByText(title)).toBeNull();
});

it('follows a campaign that is being sent, and pauses, resumes, and cancels it', async () => {
  const [{ id }, readers] = [await makeCampaign(), await makeSubscribers(db, 3)];
  // Nothing is sent until then.
  const notBefore = new Date(Date.now() + 3_600_000);
  const mail = { campaignId: id, lastError: null, endedAt: null, notBefore };
  const mails = readers.map((reader) => ({ ...mail, subscriberId: reader.id }));
  await db.insertInto('campaignMails').values(mails).execute();
  await db.updateTable('campaigns').set({ state: 'sending', startedAt: new Date() }).where('id', '=', id).execute();
  const user = await openPage(`/admin/newsletter/campaigns/${id}`, admin);
  const progress = await screen.findByRole('progressbar', { name: 'Progress' });
  expect(progress).toHaveAttribute('aria-valuetext', '0 of 3');
  const failed = { state: 'failed', attempts: 1, lastError: '550 no such mailbox', endedAt: new Date() } as const;
  const first = db.updateTable('campaignMails').set(failed).where('campaignId', '=', id);
  await first.where('subscriberId', '=', readers[0]?.id ?? '').execute();
  await waitFor(() => expect(progress).toHaveAttribute('aria-valuetext', '1 of 3'));
  expect(await screen.findByRole('region', { name: 'Failed emails' })).toHaveTextContent('550 no such mailbox');
  await press(user, 'Pause');
  await findState('Paused');
  await press(user, 'Resume');
  await findState('Sending');
  await press(user, 'Cancel campaign');
  await screen.findByText(/2 emails won't be sent\./);
  await confirm(user, 'Cancel campaign');
  await waitFor(async () => expect(await findDetails()).toHaveTextContent(/Canceled.*Skipped2/));
  expect(screen.queryByRole('button', { name: 'Cancel campaign' })).toBeNull();
});

/** Two subscribers, to the news and to the status, whom searches find by a word. */
async function makeReaders() {
  const word = randomUUID();
  const news = await makeSubscribers(db, 1);
  const status = await makeSubscribers(db, 1, { topics: ['status'], services: ['upload'] });
  const emails = [`reader-${word}@readers.example`, `watcher-${word}@readers.example`] as const;
  for (const [index, { id }] of [...news, ...status].entries())
    await db.updateTable('subscribers').set({ email: emails[index] }).where('id', '=', id).execute();
  return { word, reader: emails[0], watcher: emails[1] };
}

it('lists, exports, and removes subscribers', async () => {
  const { word, reader, watcher } = await makeReaders();
  const user = await openPage('/admin/newsletter', admin);
  const links = await screen.findAllByRole('link', { name: 'Subscribers' });
  await user.click(links.at(-1) as HTMLElement);
  await findHeading('Subscribers');
  await fill(user, await screen.findByLabelText('Search by email'), word);
  await screen.findByText('2 of 2');
  await chooseOption(user, 'Topic', 'Status notifications');
  await screen.findByText('1 of 1');
  expect(await findRow(watcher)).toHaveTextContent('File Upload Service');
  const link = screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
  const csv = await (await admin.fetch(site.url + link)).text();
  expect(csv).toContain(watcher);
  expect(csv).not.toContain(reader);
  screen.getByRole('button', { name: 'View' });
  const other = await openPage('/admin/newsletter/subscribers', admin);
  await fill(other, await screen.findByLabelText('Search by email'), reader);
  await waitForRows(1);
  await screen.findByText('1 of 1');
  await choose(other, `Actions for ${reader}`, 'Remove');
  await confirm(other, 'Remove subscriber');
  await screen.findByText('Subscriber removed');
  await screen.findByText('No matches');
  const left = db.selectFrom('subscribers').select('email').where('email', 'in', [reader, watcher]);
  expect(await left.execute()).toEqual([{ email: watcher }]);
});

it('shows viewers everything, and lets them change nothing', async () => {
  const [{ subject }, { word }] = [await makeCampaign(), await makeReaders()];
  const viewer = await makeAdmin('viewer');
  await openPage('/admin/newsletter', viewer);
  await screen.findByRole('link', { name: subject });
  expect(screen.queryByRole('button', { name: 'New campaign' })).toBeNull();
  await openPage('/admin/newsletter/subscribers', viewer);
  await screen.findByText(/^\d+ of \d+$/);
  expect(document.querySelectorAll('tbody tr')).not.toHaveLength(0);
  expect(document.body).not.toHaveTextContent(word);
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
});
