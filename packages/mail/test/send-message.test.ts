import { openMailCatcher } from '@uprez/testing/mail/open-mail-catcher';
import { listMails, waitForMail } from '@uprez/testing/mail/wait-for-mail';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, sendMessage } from '../src/send-message.ts';

let catcher: Awaited<ReturnType<typeof openMailCatcher>>;
let server: MailServer;
const rejections: Record<string, number> = { 'gone@example.test': 550, 'busy@example.test': 450 };
beforeAll(async () => {
  catcher = await openMailCatcher({ reject: (address) => rejections[address] });
  server = {
    smtpHost: catcher.env.SMTP_HOST,
    smtpPort: Number(catcher.env.SMTP_PORT),
    smtpUser: catcher.env.SMTP_USER,
    smtpPassword: catcher.env.SMTP_PASSWORD,
    smtpSecure: false,
    fromEmail: 'office@example.test',
    fromName: 'Uprez',
  };
});
afterAll(() => catcher.close());

const message = (to: string, more: object = {}) => ({
  id: 'one',
  to,
  subject: 'Hello',
  html: '<p>Hi</p>',
  text: 'Hi',
  ...more,
});
const failure = (change: Partial<MailServer>, to = 'ada@example.test') =>
  sendMessage({ ...server, ...change }, message(to)).then(
    () => undefined,
    (error: unknown) => error,
  );

test('a message arrives as it was written', async () => {
  const text = 'Grüße 😀\n.\n..\nhttps://images.example/reset-password?token=abc_-123\n';
  await sendMessage(server, message('ada@example.test', { subject: 'Grüße', text, html: '<p>Grüße &amp; more</p>' }));
  const mail = await waitForMail(catcher.url, 'ada@example.test', 'Grüße');
  expect(mail).toMatchObject({
    to: 'ada@example.test',
    subject: 'Grüße',
    html: expect.stringContaining('Grüße &amp; more'),
  });
  expect(mail.text.trim()).toBe(text.trim());
});

test('line breaks in a name, a subject or an address add no header and no recipient', async () => {
  const evil = 'x\r\nBcc: victim@example.test\r\nSubject: other';
  await sendMessage({ ...server, fromName: evil }, message('bob@example.test', { subject: evil }));
  expect((await waitForMail(catcher.url, 'bob@example.test')).subject).toBe(
    'x Bcc: victim@example.test Subject: other',
  );

  for (const to of ['eve@example.test\r\nRCPT TO:<victim@example.test>', 'eve@example.test, victim@example.test'])
    await expect(sendMessage(server, message(to))).rejects.toMatchObject({ isPermanent: true });
  expect(await listMails(catcher.url, 'victim@example.test')).toEqual([]);
});

test('a refused recipient is permanent, a busy one is not; neither error names an address', async () => {
  const gone = await failure({}, 'gone@example.test');
  expect(gone).toMatchObject({ name: 'MailError', isPermanent: true, message: expect.stringContaining('550') });
  const busy = await failure({}, 'busy@example.test');
  expect(busy).toMatchObject({ name: 'MailError', isPermanent: false, message: expect.stringContaining('450') });
  expect(`${gone}${busy}`).not.toContain('@');
});

test('what an administrator can mend is not permanent: a wrong password, a wrong host, a server that is away', async () => {
  expect(await failure({ smtpPassword: 'wrong' })).toMatchObject({
    isPermanent: false,
    message: expect.stringContaining('EAUTH'),
  });
  expect(await failure({ smtpPort: 1 })).toMatchObject({ isPermanent: false });
  expect(await failure({ smtpHost: 'nowhere.invalid' })).toMatchObject({ isPermanent: false });
});

test('where TLS is demanded, nothing goes to a server without it', async () => {
  const before = (await listMails(catcher.url, 'ada@example.test')).length;
  expect(await failure({ smtpSecure: true })).toMatchObject({ name: 'MailError', isPermanent: false });
  expect(await listMails(catcher.url, 'ada@example.test')).toHaveLength(before);
});
