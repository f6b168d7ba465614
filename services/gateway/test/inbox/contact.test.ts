import { ticketLimits } from '@uprez/contracts/policy/admin/tickets';
import { rateLimits } from '@uprez/contracts/policy/rate-limits';
import { mailSchema } from '@uprez/contracts/schemas/mails';
import { deleteMarkedObjects } from '@uprez/domain/uploads/delete-objects';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { renderMail } from '@uprez/mail/render-mail';
import { makeArticle } from '@uprez/testing/factories/make-article';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { type Fields, fields, png, sendContact, type TestFile, tokenFrom } from '../support/contact.ts';
import { publicHost, startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it checks the ledger of all accounts.
const gateway = fileFixture(() => startTestGateway());
const anonymous = makeCheckedFetch(fetch);
beforeEach(async () => {
  for (const table of ['tickets', 'outbox'] as const) await gateway.ctx.db.deleteFrom(table).execute();
});

const send = (changed: Fields = {}, files: TestFile[] = [], by: typeof fetch = anonymous) =>
  sendContact(gateway, { fields: changed, files, by });
const tickets = () => gateway.ctx.db.selectFrom('tickets').selectAll().orderBy('number').execute();
const mails = async () =>
  (await gateway.ctx.db.selectFrom('outbox').selectAll().orderBy('id').execute()).map(({ payload }) =>
    mailSchema.parse(payload),
  );
const facts = { siteName: 'Uprez', supportEmail: 's@x.test', publicUrl: 'https://x.test', firstName: null };
const mailTo = async (to: string) => {
  const mail = (await mails()).find((one) => 'to' in one && one.to === to);
  if (!mail) throw new Error(`no email to ${to}`);
  return await renderMail(mail, facts);
};
const support = `support@${publicHost}`;

describe('POST /api/contact', () => {
  it('stores the message with its files, emails it to support, and confirms the number to the sender', async () => {
    const response = await send({}, [
      { name: 'screen.png', bytes: png },
      { name: 'log.txt', bytes: 'line 1\r\nline 2' },
    ]);
    expect(response.status).toBe(201);
    const [ticket] = await tickets();
    expect(await response.json()).toEqual({ number: ticket?.number });
    expect(ticket).toMatchObject({
      ...{ kind: 'contact', inquiryType: 'technical', state: 'open', accountId: null, spamReasons: [] },
      ...{ name: 'Ada Lovelace', email: fields.email, company: 'Engine Ltd.', subject: 'Upload fails' },
    });
    expect(ticket?.dueAt?.getTime()).toBeGreaterThan(Date.now());
    const stored = await gateway.ctx.db.selectFrom('ticketFiles').select(['name', 'mimeType']).orderBy('id').execute();
    expect(stored).toEqual([
      { name: 'screen.png', mimeType: 'image/png' },
      { name: 'log.txt', mimeType: 'text/plain' },
    ]);
    const { subject, text } = await mailTo(support);
    expect(subject).toBe(`New message #${ticket?.number} from Ada Lovelace: Upload fails`);
    expect(text).toContain('It stops at 50%.');
    expect(text).toContain('2 files attached.');
    expect(text).toContain(`https://x.test/admin/inbox/${ticket?.id}`);
    expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
  });

  it('confirms with the number and none of the words of the sender, twice a day for an email address', async () => {
    const words = {
      firstName: 'Zelda',
      lastName: 'Quartz',
      company: 'Jukebox',
      subject: 'Walrus',
      message: 'Marmalade',
    };
    for (const tag of ['', '+1', '+a_b'])
      expect((await send({ ...words, email: `ADA${tag}@engine.example` })).status).toBe(201);
    // Another mailbox.
    expect((await send({ ...words, email: 'adam+1@engine.example' })).status).toBe(201);
    const [first] = await tickets();
    const sent = (await mails()).flatMap((mail) => (mail.mail === 'ticket_received' ? [mail.to] : []));
    expect(sent).toEqual(['ADA@engine.example', 'ADA+1@engine.example', 'adam+1@engine.example']);
    const { subject, html, text } = await mailTo('ADA@engine.example');
    expect(subject).toBe(`We received your message (#${first?.number})`);
    for (const word of Object.values(words)) expect(`${subject} ${html} ${text}`).not.toContain(word);
    expect((await mails()).filter(({ mail }) => mail === 'ticket_opened')).toHaveLength(4);
  });

  it('removes characters that reverse what is shown after them from subjects', async () => {
    await send({ subject: '\u202Egnp.exe' });
    expect(await tickets()).toMatchObject([{ subject: 'gnp.exe' }]);
  });

  it('keeps who is signed in, and feedback apart', async () => {
    const { fetch: by, user } = await gateway.signUp();
    await send({ inquiryType: 'feedback' }, [], by);
    expect(await tickets()).toMatchObject([{ accountId: user.id, kind: 'feedback' }]);
  });

  it('stores an application to an open position, and rejects other positions', async () => {
    const { id } = await makeArticle(gateway.ctx.db);
    const slug = `designer-${id}`;
    const open = {
      kind: 'position',
      status: 'published',
      title: 'Designer',
      slug,
      html: '',
      rendererVersion: 1,
    } as const;
    await gateway.ctx.db
      .updateTable('articles')
      .set({ ...open, readingMinutes: 1, publishedAt: new Date(), revisedAt: new Date() })
      .where('id', '=', id)
      .execute();
    expect((await send({ position: slug })).status).toBe(201);
    expect(await tickets()).toMatchObject([{ kind: 'application', position: 'Designer', inquiryType: null }]);
    expect((await mailTo(support)).text).toContain('Application: Designer: Upload fails');
    await gateway.ctx.db.deleteFrom('outbox').execute();
    await send({ position: slug, subject: 'Application: Designer' });
    expect((await mailTo(support)).text).toMatch(/^Application: Designer$/m);
    const closed = await send({ position: 'gone' });
    expect(await closed.json()).toMatchObject({ status: 422, param: 'position' });
    expect(await tickets()).toHaveLength(2);
  });

  it.each<[Fields, string, string]>([
    [{ firstName: ' ' }, 'firstName', 'First name is required'],
    [{ lastName: '' }, 'lastName', 'Last name is required'],
    [{ firstName: 'Ada\r\nBcc: x@y.test' }, 'firstName', "Control characters aren't allowed."],
    [{ lastName: '\u2066Lovelace' }, 'lastName', "Characters that change the direction of text aren't allowed."],
    [{ company: '\u202E' }, 'company', 'Enter at least one visible character.'],
    [{ email: 'ada' }, 'email', 'Enter a valid email address.'],
    [{ email: 'ada@x.test, eve@x.test' }, 'email', 'Enter a valid email address.'],
    [{ inquiryType: 'refund' }, 'inquiryType', 'Choose an inquiry type.'],
    [{ subject: '' }, 'subject', 'Subject is required'],
    [{ subject: 'a\nBcc: x@y.test' }, 'subject', "Control characters aren't allowed."],
    [{ subject: 'a'.repeat(151) }, 'subject', "Subject can't be longer than 150 characters."],
    [{ message: ' \n ' }, 'message', 'Message is required'],
    [{ message: 'a'.repeat(5_001) }, 'message', "Message can't be longer than 5000 characters."],
    [{ message: 'a\0' }, 'message', "Text can't contain NUL or invalid Unicode characters."],
    [{ position: 'a\0' }, 'position', "Text can't contain NUL or invalid Unicode characters."],
    [{ admin: 'true' } as Fields, 'admin', 'This form has no such field.'],
  ])('returns 422 for %j, and stores nothing', async (changed, param, detail) => {
    const response = await send(changed, [{ name: 'a.png', bytes: png }]);
    expect(await response.json()).toMatchObject({ code: 'invalid_parameter', status: 422, param, detail });
    expect([await tickets(), await mails()]).toEqual([[], []]);
    await deleteMarkedObjects(gateway.ctx, 0);
    expect(await gateway.ctx.db.selectFrom('objects').select('id').where('kind', '=', 'ticket').execute()).toEqual([]);
  });

  it('counts a line break as one character, and says how long a message may be, however long it is', async () => {
    const long = await (await send({ message: 'a'.repeat(100_000) })).json();
    expect(long).toMatchObject({ param: 'message', detail: "Message can't be longer than 5000 characters." });
    expect((await send({ message: `${'a'.repeat(4_998)}\nb` })).status).toBe(201);
  });

  it('returns 400 for a body that is no form', async () => {
    const response = await anonymous(`${gateway.url}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([response.status, response.headers.get('x-error-code')]).toEqual([400, 'malformed_multipart']);
    const many = await send({ toString: 'a' } as Fields);
    expect(await many.json()).toMatchObject({
      code: 'malformed_multipart',
      detail: 'Send the message as a multipart form.',
    });
  });
});

describe('files', () => {
  const large = Buffer.alloc(ticketLimits.attachmentBytes + 1);
  png.copy(large);
  const images = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `${index}.png`, bytes: png }));

  it.each<[string, TestFile[], { code: string; status: number }]>([
    [
      'HTML that is named .png',
      [{ name: 'a.png', bytes: '<!doctype html><script>1</script>' }],
      { code: 'invalid_parameter', status: 422 },
    ],
    [
      'HTML that is named .txt',
      [{ name: 'a.txt', bytes: '\n <html><body>' }],
      { code: 'invalid_parameter', status: 422 },
    ],
    [
      'SVG',
      [{ name: 'a.svg', bytes: '<svg xmlns="http://www.w3.org/2000/svg"/>' }],
      { code: 'invalid_parameter', status: 422 },
    ],
    ['an executable', [{ name: 'a.txt', bytes: 'MZ\0\x01' }], { code: 'invalid_parameter', status: 422 }],
    ['a GIF', [{ name: 'a.gif', bytes: 'GIF89a' }], { code: 'invalid_parameter', status: 422 }],
    ['an empty file', [{ name: 'a.txt', bytes: '' }], { code: 'invalid_parameter', status: 422 }],
    ['one byte more than 5 MB', [{ name: 'a.png', bytes: large }], { code: 'file_too_large', status: 413 }],
    ['a fourth file', images(4), { code: 'invalid_parameter', status: 422 }],
    [
      'a good file before a bad one',
      [...images(1), { name: 'a.exe', bytes: 'MZ' }],
      { code: 'invalid_parameter', status: 422 },
    ],
  ])('rejects %s, and stores nothing', async (_what, files, error) => {
    const response = await send({}, files);
    expect(await response.json()).toMatchObject({ ...error, param: 'attachments' });
    expect(await tickets()).toEqual([]);
    await deleteMarkedObjects(gateway.ctx, 0);
    expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
    expect(await gateway.ctx.db.selectFrom('objects').select('id').where('kind', '=', 'ticket').execute()).toEqual([]);
  });

  it('accepts 3 files of 5 MB', async () => {
    const files = [0, 1, 2].map((index) => ({ name: `${index}.png`, bytes: large.subarray(0, -1) }));
    expect((await send({}, files)).status).toBe(201);
  });

  it('names files after their content, without folders and control characters', async () => {
    const names = ['../../etc/passwd', 'a\u202Egnp.exe', `${'x'.repeat(400)}.png`];
    await send(
      {},
      names.map((name) => ({ name, bytes: png })),
    );
    const stored = await gateway.ctx.db.selectFrom('ticketFiles').select('name').orderBy('id').execute();
    expect(stored.map(({ name }) => name.slice(-20))).toEqual([
      'passwd.png',
      'agnp.exe.png', // cspell:ignore agnp,
      expect.stringMatching(/x\.png$/),
    ]);
  });
});

describe('spam', () => {
  it.each<[string, Fields | (() => Fields), string[]]>([
    ['with the hidden field', { website: 'https://spam.example' }, ['hidden_field']],
    ['after a second', () => ({ formToken: tokenFrom(1) }), ['too_fast']],
    ['from the future', { formToken: tokenFrom(-3_600) }, ['too_fast']],
    ['after more than 24 hours', { formToken: tokenFrom(24 * 3_600 + 5) }, ['form_expired']],
    ['with another signature', { formToken: tokenFrom(60, 'another secret') }, ['form_invalid']],
    ['without a token', { formToken: '' }, ['form_invalid']],
    ['with two signs', { formToken: 'x', website: 'y' }, ['hidden_field', 'form_invalid']],
  ])('is a message %s: stored on the spam shelf with a normal response', async (_what, changed, spamReasons) => {
    const response = await send(typeof changed === 'function' ? changed() : changed);
    expect(response.status).toBe(201);
    const [ticket] = await tickets();
    expect(await response.json()).toEqual({ number: ticket?.number });
    expect(ticket).toMatchObject({ state: 'spam', spamReasons, dueAt: null });
    expect(await mails()).toEqual([]);
  });

  it('is no message 4 seconds, or almost 24 hours, after a form was opened', async () => {
    await send({ formToken: tokenFrom(4) });
    await send({ formToken: tokenFrom(24 * 3_600 - 60) });
    expect((await tickets()).map(({ state }) => state)).toEqual(['open', 'open']);
  });

  it('is limited to 5 messages in an hour from an IP address, at a form whose token the gateway signs', async () => {
    const strict = await startTestGateway({ RATE_LIMIT_SCALE: '1' });
    onTestFinished(strict.close);
    const opened = await fetch(`${strict.url}/api/contact`);
    expect(opened.headers.get('cache-control')).toBe('no-store');
    const { token } = (await opened.json()) as { token: string };
    const send = async (fields: Fields) => (await sendContact(strict, { fields })).status;
    for (let i = 0; i < 5; i += 1) expect(await send({ formToken: token })).toBe(201);
    const rejected = await sendContact(strict, { files: [{ name: 'screen.png', bytes: png }] });
    expect([rejected.status, rejected.headers.get('x-error-code')]).toEqual([429, 'rate_limited']);
    const files = await strict.ctx.db.selectFrom('objects').select('state').execute();
    expect(files.map(({ state }) => state)).not.toContain('stored');
    const stored = await strict.ctx.db.selectFrom('tickets').select('spamReasons').execute();
    expect(stored.flatMap(({ spamReasons }) => spamReasons)).toEqual(Array(5).fill('too_fast'));
  });

  it('counts forms that are rejected apart from messages, up to 30 in an hour', async () => {
    const strict = await startTestGateway({ RATE_LIMIT_SCALE: '1' });
    onTestFinished(strict.close);
    const send = async (fields: Fields) => (await sendContact(strict, { fields })).status;
    const { calls } = rateLimits.contact;
    for (let i = 1; i < calls; i += 1) expect(await send({ email: 'ada@' })).toBe(422);
    expect(await send({})).toBe(201);
    expect(await send({})).toBe(429);
  });
});

describe('hostile texts', () => {
  it('are written as text into emails, and add no header', async () => {
    const markup = '<img src=x onerror=alert(1)>';
    const texts = { firstName: markup, company: markup, subject: `${markup} https://evil.example` };
    expect((await send({ ...texts, message: `${markup}\r\nBcc: eve@evil.example` })).status).toBe(201);
    const { subject, html } = await mailTo(support);
    expect(html).toContain('&lt;img');
    expect(html).not.toContain('<img');
    expect(html).not.toContain('href="https://evil.example');
    expect(subject).not.toMatch(/[\r\n]/);
  });
});
