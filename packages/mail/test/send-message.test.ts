import { type AddressInfo, createServer } from 'node:net';
import { listMails, openMailCatcher, waitForMail } from '@uprez/testing/mail';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type MailServer, sendMessage, tryMailServer } from '../src/send-message.ts';

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

test('sends a message unchanged', async () => {
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

test('line breaks in a name, subject, or recipient add no headers and no recipients', async () => {
  const evil = 'x\r\nBcc: victim@example.test\r\nSubject: other';
  await sendMessage({ ...server, fromName: evil }, message('bob@example.test', { subject: evil }));
  expect((await waitForMail(catcher.url, 'bob@example.test')).subject).toBe(
    'x Bcc: victim@example.test Subject: other',
  );

  for (const to of ['eve@example.test\r\nRCPT TO:<victim@example.test>', 'eve@example.test, victim@example.test'])
    await expect(sendMessage(server, message(to))).rejects.toMatchObject({ isPermanent: true });
  expect(await listMails(catcher.url, 'victim@example.test')).toEqual([]);
});

test('a rejected recipient is a permanent error, a busy one is not, and both errors omit the address', async () => {
  const gone = await failure({}, 'gone@example.test');
  expect(gone).toMatchObject({ name: 'MailError', isPermanent: true, message: expect.stringContaining('550') });
  const busy = await failure({}, 'busy@example.test');
  expect(busy).toMatchObject({ name: 'MailError', isPermanent: false, message: expect.stringContaining('450') });
  expect(`${gone}${busy}`).not.toContain('@');
});

test('a wrong password, a wrong host, and an unavailable server are not permanent errors', async () => {
  expect(await failure({ smtpPassword: 'wrong' })).toMatchObject({
    isPermanent: false,
    message: expect.stringContaining('EAUTH'),
  });
  expect(await failure({ smtpPort: 1 })).toMatchObject({ isPermanent: false });
  expect(await failure({ smtpHost: 'nowhere.invalid' })).toMatchObject({ isPermanent: false });
});

test('an error contains no form of the password that the server repeats', async () => {
  const smtpPassword = 'never show this one';
  const plain = Buffer.from(`\0${server.smtpUser}\0${smtpPassword}`).toString('base64');
  const login = Buffer.from(smtpPassword).toString('base64');
  const echo = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 ready\r\n');
    socket.on('data', (line) =>
      socket.write(
        /^EHLO/i.test(String(line))
          ? '250-hello\r\n250 AUTH PLAIN\r\n'
          : `535 bad ${String(line).trim()} ${login} ${smtpPassword}\r\n`,
      ),
    );
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void echo.close());
  const { port } = echo.address() as AddressInfo;
  const { message: shown } = (await failure({ smtpPort: port, smtpPassword })) as Error;
  expect(shown).toContain('535 bad AUTH PLAIN [password] [password] [password]');
  const tried = await tryMailServer({ ...server, smtpPort: port, smtpPassword }, 'ada@example.test');
  for (const text of [shown, tried.answer]) {
    expect(text).not.toContain(smtpPassword);
    expect(text).not.toContain(plain);
    expect(text).not.toContain(login);
  }
});

test('sends nothing to a server without TLS when TLS is required', async () => {
  const before = (await listMails(catcher.url, 'ada@example.test')).length;
  expect(await failure({ smtpSecure: true })).toMatchObject({ name: 'MailError', isPermanent: false });
  expect(await listMails(catcher.url, 'ada@example.test')).toHaveLength(before);
});
