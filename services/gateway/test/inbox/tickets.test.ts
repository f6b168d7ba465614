import { randomUUID } from 'node:crypto';
import { mailSchema } from '@uprez/contracts/schemas/mails';
import type { Ticket, TicketRow } from '@uprez/contracts/schemas/tickets';
import { deleteDueAccounts } from '@uprez/domain/accounts/own-data/delete-account';
import { deleteOldTickets } from '@uprez/domain/inbox/delete-old-tickets';
import { deleteMarkedObjects } from '@uprez/domain/uploads/delete-objects';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { renderMail } from '@uprez/mail/render-mail';
import { fileFixture } from '@uprez/testing/fixtures';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { type Fields, fields, png, sendContact } from '../support/contact.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it checks the ledger of all accounts.
const gateway = fileFixture(() => startTestGateway());
const agent = fileFixture(() => signUpAdmin(gateway, 'support'));
const db = () => gateway.ctx.db;
beforeEach(async () => {
  for (const table of ['tickets', 'outbox', 'leads'] as const) await db().deleteFrom(table).execute();
});

const prefix = '/api/admin/tickets';
const call = (
  path: string,
  { method = 'GET', body, by = agent.fetch }: { method?: string; body?: object; by?: typeof fetch } = {},
) =>
  by(`${gateway.url}${prefix}${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
const codeOf = ({ status, headers }: Response) => [status, headers.get('x-error-code')];
const read = async (response: Response) => (await response.json()) as Ticket;
const subjects = async (query: string) =>
  ((await (await call(query)).json()) as TicketRow[]).map(({ subject }) => subject);
/** What was written about a ticket. Rows of the audit log can't be deleted between tests. */
const actionsOf = async (id: string) =>
  (
    await db()
      .selectFrom('audits')
      .select('action')
      .where('subject', '=', `ticket:${id}`)
      .where('rejected', 'is', null)
      .orderBy('createdAt')
      .execute()
  ).map(({ action }) => action);

/** Sends a message and returns its ticket. */
async function makeTicket(changed: Fields = {}, by: typeof fetch = fetch): Promise<Ticket> {
  const { number } = (await (
    await sendContact(gateway, { fields: changed, by, files: [{ name: 'a (é); b.png', bytes: png }] })
  ).json()) as { number: number };
  const { id } = await db().selectFrom('tickets').select('id').where('number', '=', number).executeTakeFirstOrThrow();
  return read(await call(`/${id}`));
}

describe('the list', () => {
  it('searches, filters, sorts, and pages, without spam unless it is asked for', async () => {
    const first = await makeTicket({ subject: 'First 100%', inquiryType: 'feedback' });
    await makeTicket({ subject: 'Second', lastName: 'Hopper' });
    await makeTicket({ subject: 'Third', website: 'x' });
    expect(await subjects('')).toEqual(['Second', 'First 100%']);
    expect(await subjects('?sort=due')).toEqual(['First 100%', 'Second']);
    expect(await subjects('?state=spam')).toEqual(['Third']);
    expect(await subjects('?state=not_spam')).toEqual(['Second', 'First 100%']);
    expect(await subjects('?kind=feedback')).toEqual(['First 100%']);
    expect(await subjects('?search=HOPPER')).toEqual(['Second']);
    expect(await subjects('?search=100%25')).toEqual(['First 100%']);
    expect(await subjects(`?search=%23${first.number}`)).toEqual(['First 100%']);
    await call(`/${first.id}`, { method: 'PATCH', body: { assigneeId: agent.user.id } });
    expect(await subjects('?assignee=mine')).toEqual(['First 100%']);
    expect(await subjects('?assignee=nobody')).toEqual(['Second']);
    expect(await subjects('?state=overdue')).toEqual([]);
    await db()
      .updateTable('tickets')
      .set({ dueAt: new Date(0) })
      .where('id', '=', first.id)
      .execute();
    expect(await subjects('?state=overdue')).toEqual(['First 100%']);
    const page = await call('?limit=1');
    expect([page.headers.get('x-total-count'), page.headers.get('link')]).toEqual([
      '2',
      expect.stringContaining('next'),
    ]);
    expect(codeOf(await call('?state=lost'))).toEqual([422, 'invalid_parameter']);
  });

  it('exports texts that are no formulas', async () => {
    await makeTicket({ subject: '=1+1' });
    const text = await (await call('/export')).text();
    expect(text).toContain('ticket,number,subject');
    expect(text).not.toMatch(/,"?=1/);
  });
});

describe('a ticket', () => {
  it('has the conversation, the files, and the account with its email address', async () => {
    const user = await gateway.signUp();
    const ticket = await makeTicket({ email: user.user.email.toUpperCase() });
    expect(ticket).toMatchObject({
      messages: [{ kind: 'message', text: fields.message, author: null, delivery: null }],
      files: [{ name: 'a (é); b.png', mimeType: 'image/png', sizeBytes: png.length }],
      account: { id: user.user.id },
      // Anyone can type this email address.
      wasSignedIn: false,
    });
    expect((await makeTicket({}, user.fetch)).wasSignedIn).toBe(true);
    // The account of probes can't be opened, and so not be changed.
    const { db } = gateway.ctx;
    await db.updateTable('users').set({ isService: true }).where('id', '=', user.user.id).execute();
    expect((await makeTicket({ email: user.user.email })).account).toBeNull();
  });

  it('sends files as attachments that browsers neither open nor guess', async () => {
    const { id, files } = await makeTicket();
    const response = await call(`/${id}/files/${files[0]?.id}`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="a (?); b.png"; filename*=UTF-8''a%20%28%C3%A9%29%3B%20b.png`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
    });
    const other = await makeTicket();
    for (const path of [`/${other.id}/files/${files[0]?.id}`, `/${id}/files/${randomUUID()}`, `/x/files/x`])
      expect(codeOf(await call(path))).toEqual([404, 'ticket_not_found']);
  });

  it('returns 403 to editors and viewers, and 404 for other IDs', async () => {
    const { id } = await makeTicket();
    for (const role of ['editor', 'viewer'] as const) {
      const { fetch: by } = await signUpAdmin(gateway, role);
      expect(codeOf(await call(`/${id}`, { by }))).toEqual([403, 'permission_missing']);
      expect(codeOf(await call(`/${id}/notes`, { method: 'POST', body: { message: 'a' }, by }))).toEqual([
        403,
        'permission_missing',
      ]);
    }
    for (const other of ['x', randomUUID()]) {
      expect(codeOf(await call(`/${other}`))).toEqual([404, 'ticket_not_found']);
      expect(codeOf(await call(`/${other}`, { method: 'PATCH', body: { state: 'closed' } }))).toEqual([
        404,
        'ticket_not_found',
      ]);
      expect(codeOf(await call(`/${other}`, { method: 'DELETE' }))).toEqual([404, 'ticket_not_found']);
      expect(codeOf(await call(`/${other}/replies`, { method: 'POST', body: { message: 'a' } }))).toEqual([
        404,
        'ticket_not_found',
      ]);
    }
    expect(await actionsOf(id)).toEqual([]);
  });
});

describe('answers', () => {
  it('emails a reply, whose subject adds no header, and stops the time', async () => {
    const { id, number } = await makeTicket({ subject: '<b>Subject</b>' });
    await db().deleteFrom('outbox').execute();
    const replied = await call(`/${id}/replies`, { method: 'POST', body: { message: '<i>Hi</i>,\r\nfixed.' } });
    expect(replied.status).toBe(201);
    const ticket = await read(replied);
    expect(ticket).toMatchObject({ state: 'answered', dueAt: null });
    expect(ticket.messages.at(-1)).toMatchObject({ kind: 'reply', delivery: 'queued', author: { id: agent.user.id } });
    const [row] = await db().selectFrom('outbox').select('payload').execute();
    const mail = mailSchema.parse(row?.payload);
    expect(mail).toMatchObject({ mail: 'ticket_reply', to: fields.email });
    const facts = { siteName: 'Uprez', supportEmail: 's@x.test', publicUrl: 'https://x.test', firstName: null };
    const { subject, html } = await renderMail(mail, facts);
    expect(subject).toBe(`Re: <b>Subject</b> (#${number})`);
    expect(html).toContain('&lt;i&gt;Hi&lt;/i&gt;');
    expect(html).not.toContain('<i>');
    expect(await actionsOf(id)).toEqual(['ticket.reply']);
  });

  it('returns 409 for a reply of a page that does not show the last reply', async () => {
    const { id } = await makeTicket();
    await db().deleteFrom('outbox').execute();
    const reply = (seenReplyId: string | null) =>
      call(`/${id}/replies`, { method: 'POST', body: { message: 'a', seenReplyId } });
    const ticket = await read(await reply(null));
    expect(codeOf(await reply(null))).toEqual([409, 'ticket_answered']);
    await call(`/${id}/notes`, { method: 'POST', body: { message: 'known' } });
    expect((await reply(ticket.messages.at(-1)?.id.toUpperCase() ?? '')).status).toBe(201);
    expect(await db().selectFrom('outbox').select('id').execute()).toHaveLength(2);
    expect(await actionsOf(id)).toEqual(['ticket.reply', 'ticket.note', 'ticket.reply']);
  });

  it('closes the ticket with a reply, and keeps notes from emails', async () => {
    const { id } = await makeTicket();
    await db().deleteFrom('outbox').execute();
    const noted = await call(`/${id}/notes`, { method: 'POST', body: { message: 'known' } });
    expect((await read(noted)).messages.at(-1)).toMatchObject({ kind: 'note', delivery: null });
    expect(await db().selectFrom('outbox').select('id').execute()).toEqual([]);
    const closed = await call(`/${id}/replies`, { method: 'POST', body: { message: 'a', close: true } });
    expect((await read(closed)).state).toBe('closed');
    expect(codeOf(await call(`/${id}/replies`, { method: 'POST', body: { message: ' ' } }))).toEqual([
      422,
      'invalid_parameter',
    ]);
  });
});

describe('changes', () => {
  it('are audited: assign, close, reopen, mark as spam, and not spam', async () => {
    const { id } = await makeTicket();
    const change = async (body: object) => read(await call(`/${id}`, { method: 'PATCH', body }));
    expect((await change({ assigneeId: agent.user.id })).assignee?.id).toBe(agent.user.id);
    expect(await change({ state: 'closed' })).toMatchObject({ state: 'closed', dueAt: null });
    expect(await change({ state: 'open' })).toMatchObject({ state: 'open', dueAt: expect.any(String) });
    expect(await change({ state: 'spam' })).toMatchObject({ state: 'spam', spamReasons: ['marked'], dueAt: null });
    expect(codeOf(await call(`/${id}/replies`, { method: 'POST', body: { message: 'a' } }))).toEqual([
      409,
      'ticket_is_spam',
    ]);
    expect(await change({ state: 'open', assigneeId: null })).toMatchObject({ spamReasons: [], assignee: null });
    expect(await actionsOf(id)).toEqual(
      ['assign', 'close', 'reopen', 'spam', 'assign', 'not_spam'].map((action) => `ticket.${action}`),
    );
  });

  it('assign only administrators who can answer', async () => {
    const { id } = await makeTicket();
    const { user } = await signUpAdmin(gateway, 'viewer');
    for (const assigneeId of [user.id, randomUUID()]) {
      const response = await call(`/${id}`, { method: 'PATCH', body: { assigneeId } });
      expect(codeOf(response)).toEqual([422, 'invalid_parameter']);
    }
    const people = (await (await call('/assignees')).json()) as { id: string }[];
    expect(people.map((person) => person.id)).toContain(agent.user.id);
    expect(people.map((person) => person.id)).not.toContain(user.id);
  });

  it('delete spam only, with its files and emails', async () => {
    const { id } = await makeTicket();
    const file = db().selectFrom('ticketFiles').select('objectId').where('ticketId', '=', id);
    const { objectId } = await file.executeTakeFirstOrThrow();
    expect(codeOf(await call(`/${id}`, { method: 'DELETE' }))).toEqual([409, 'ticket_not_spam']);
    await call(`/${id}`, { method: 'PATCH', body: { state: 'spam' } });
    expect((await call(`/${id}`, { method: 'DELETE' })).status).toBe(204);
    await deleteMarkedObjects(gateway.ctx, 3_600);
    const left = [
      await db().selectFrom('tickets').select('id').execute(),
      await db().selectFrom('outbox').select('id').where(sql`payload ->> 'ticketId'`, '=', id).execute(),
    ];
    expect(left).toEqual([[], []]);
    expect(await db().selectFrom('objects').select('id').where('id', '=', objectId).execute()).toEqual([]);
    expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
  });
});

it('deletes closed tickets after a year, and spam after 30 days, and keeps open ones', async () => {
  const ages = { open: 400, answered: 400, closed: 366, spam: 31 } as const;
  for (const state of ['open', 'answered', 'closed', 'spam'] as const)
    for (const days of [ages[state], 29]) {
      const { id } = await makeTicket({ subject: `${state} ${days}` });
      await sql`update tickets set state = ${state}, due_at = null, updated_at = now() - ${days} * interval '1 day',
        spam_reasons = ${state === 'spam' ? ['marked'] : []}::text[] where id = ${id}`.execute(db());
    }
  expect(await deleteOldTickets(gateway.ctx)).toBe(2);
  const left = await db().selectFrom('tickets').select('subject').orderBy('number').execute();
  expect(left.map(({ subject }) => subject)).toEqual([
    'open 400',
    'open 29',
    'answered 400',
    'answered 29',
    'closed 29',
    'spam 29',
  ]);
});

it('opens a ticket for an Enterprise lead', async () => {
  const lead = { name: 'Ada', email: fields.email, company: 'Engine Ltd.', volume: '1,000', message: 'More.' };
  await fetch(`${gateway.url}/api/leads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(lead),
  });
  const [row] = (await (await call('?kind=lead')).json()) as TicketRow[];
  expect(row).toMatchObject({ kind: 'lead', subject: 'Enterprise inquiry', name: 'Ada', dueAt: expect.any(String) });
  expect((await read(await call(`/${row?.id}`))).messages[0]?.text).toBe('Images per month: 1,000\n\nMore.');
});

it('deletes the tickets of a deleted account, with their files and emails, and no others', async () => {
  const user = await gateway.signUp();
  const own = await makeTicket({}, user.fetch);
  // Somebody else may have typed the email address.
  const typed = await makeTicket({ email: user.user.email });
  await db()
    .updateTable('users')
    .set({ deletesAt: sql<Date>`now() - interval '1 second'` })
    .where('id', '=', user.user.id)
    .execute();
  const file = db().selectFrom('ticketFiles').select('objectId').where('ticketId', '=', own.id);
  const { objectId } = await file.executeTakeFirstOrThrow();
  expect(await deleteDueAccounts({ db: db(), log: gateway.ctx.log })).toBe(1);
  await deleteMarkedObjects(gateway.ctx, 3_600);
  expect(codeOf(await call(`/${own.id}`))).toEqual([404, 'ticket_not_found']);
  expect((await call(`/${typed.id}`)).status).toBe(200);
  const emails = db().selectFrom('outbox').select('id').where(sql`payload ->> 'ticketId'`, '=', own.id);
  expect(await emails.execute()).toEqual([]);
  expect(await db().selectFrom('objects').select('id').where('id', '=', objectId).execute()).toEqual([]);
});
