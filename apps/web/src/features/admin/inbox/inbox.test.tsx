import { randomUUID } from 'node:crypto';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { press } from '../../../../test/component/admin-page.ts';
import { db, fill, makeAdmin, openPage } from '../../../../test/component/open-page.tsx';

/** A message of the contact form. */
async function makeTicket() {
  const [id, email] = [randomUUID(), `${randomUUID()}@engine.example`];
  const subject = '<b>Upload</b> fails';
  await db
    .insertInto('tickets')
    .values({ id, email, subject, kind: 'contact', inquiryType: 'bug', name: 'Ada Lovelace' })
    .execute();
  const message = { id: randomUUID(), ticketId: id, text: 'It stops.' };
  await db
    .insertInto('ticketMessages')
    .values({ ...message, kind: 'message' })
    .execute();
  return { id, email, subject };
}

it('asks before a typed reply is left, and rejects it if another administrator replied first', async () => {
  const [{ id }, agent] = [await makeTicket(), await makeAdmin('support')];
  const user = await openPage(`/admin/inbox/${id}`, agent);
  const reply = await screen.findByLabelText('Reply');
  await fill(user, reply, 'It is fixed.');
  await press(user, 'Send reply');
  await waitFor(() => expect(reply).toHaveValue(''));
  await screen.findByText('It is fixed.', { selector: 'li p' });
  await fill(user, reply, 'It is fixed twice.');
  const leave = async () => user.click(screen.getByRole('link', { name: 'Status' }));
  const findQuestion = () => screen.findByRole('alertdialog', { name: 'Leave without saving?' });
  await leave();
  await press(user, 'Keep editing', await findQuestion());
  const { messages } = (await agent.client.adminGetTicket({ params: { id } })).data;
  const seenReplyId = messages.findLast(({ kind }) => kind === 'reply')?.id ?? null;
  const body = { message: 'It is fixed in version 2.', seenReplyId };
  await agent.client.adminReplyToTicket({ params: { id }, body });
  await press(user, 'Send reply');
  await screen.findByText(/Another administrator replied in the meantime\./);
  await screen.findByText('It is fixed in version 2.');
  expect(reply).toHaveValue('It is fixed twice.');
  await leave();
  await press(user, 'Leave', await findQuestion());
  await screen.findByRole('heading', { level: 1, name: 'Status' });
});

it('closes, reopens, and marks a ticket as spam, which is deleted from its shelf', async () => {
  const [{ id, email, subject }, agent] = [await makeTicket(), await makeAdmin('support')];
  const user = await openPage(`/admin/inbox/${id}`, agent);
  await press(user, 'Close');
  await screen.findByText('Closed');
  await press(user, 'Reopen');
  await screen.findByText('Open');
  await press(user, 'Mark as spam');
  await screen.findByText(/^This ticket is spam\. An administrator marked it\./);
  expect(screen.queryByRole('button', { name: 'Send reply' })).toBeNull();
  await openPage(`/admin/inbox?search=${email}`, agent);
  await screen.findByText('No matches');
  const other = await openPage(`/admin/inbox?state=spam&search=${email}`, agent);
  await other.click(await screen.findByRole('link', { name: subject }));
  await press(other, 'Delete');
  await press(other, 'Delete', await screen.findByRole('alertdialog'));
  await screen.findByText('Ticket deleted');
  expect(await db.selectFrom('tickets').select('id').where('id', '=', id).execute()).toEqual([]);
  const mails = await db.selectFrom('outbox').select('payload').execute();
  expect(mails.filter(({ payload }) => JSON.stringify(payload).includes(email))).toEqual([]);
});
