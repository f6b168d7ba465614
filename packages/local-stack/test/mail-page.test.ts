import { request } from 'node:http';
import { sendMessage } from '@uprez/mail/send-message';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isPortFree } from '../src/find-free-port.ts';
import { type MailCatcher, openMailCatcher } from '../src/mail/open-mail-catcher.ts';

let catcher: MailCatcher;
beforeAll(async () => {
  catcher = await openMailCatcher({ user: 'u', password: 'p' });
});
afterAll(() => catcher.close());

const send = (to: string, subject: string, html = '<p>hi</p>') =>
  sendMessage(
    {
      smtpHost: catcher.env.SMTP_HOST,
      smtpPort: Number(catcher.env.SMTP_PORT),
      smtpUser: 'u',
      smtpPassword: 'p',
      smtpSecure: false,
      fromEmail: 'office@example.test',
      fromName: 'Office',
    },
    { id: subject, to, subject, html, text: `hi <script>x</script> https://a.example/?q=1&r="2"` },
  );
const get = async (path: string) => {
  const response = await fetch(catcher.url + path);
  return { status: response.status, headers: response.headers, body: await response.text() };
};

it('lists the emails to an address as JSON, newest first, ignoring case', async () => {
  await send('ada@example.test', 'first');
  await send('bob@example.test', 'other');
  await send('ada@example.test', 'second');
  const mails = JSON.parse((await get('/messages?to=ADA%40example.test')).body);
  expect(mails.map(({ subject }: { subject: string }) => subject)).toEqual(['second', 'first']);
  expect(Object.keys(mails[0])).toEqual(['to', 'subject', 'headers', 'text', 'html', 'date']);
  expect(mails[0]).toMatchObject({ to: 'ada@example.test', date: expect.stringMatching(/^\d{4}-.*Z$/) });
});

it('escapes a hostile email and sandboxes its HTML', async () => {
  await send('img@example.test', '<script>alert(1)</script>', '<script>alert(2)</script><p>body</p>');
  const list = await get('/');
  expect(list.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  const [, page = ''] = /href="(\/mails\/[^"]+)">&lt;script/.exec(list.body) ?? [];
  const mail = await get(page);
  for (const { body, headers } of [list, mail]) {
    expect(body).not.toMatch(/<script|<img/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  }
  expect(list.body).toMatch(/<time datetime="\d{4}-[^"]*Z">[A-Z][a-z]{2} \d{1,2}, \d\d:\d\d<\/time>/);
  expect(mail.body).toContain('href="https://a.example/?q=1&amp;r="');
  expect(mail.body).toContain('From Office &lt;office@example.test&gt; to img@example.test');
  const own = await get(`${page}/html`);
  expect(own.body).toContain('<script>alert(2)</script>');
  expect(own.headers.get('content-security-policy')).toMatch(/^sandbox allow-popups [^;]*; default-src 'none'/);
  expect(own.headers.get('content-security-policy')).not.toContain('allow-scripts');
});

it('rejects other host names than loopback, and writes', async () => {
  const status = await new Promise((resolve) =>
    request(`${catcher.url}/messages`, { headers: { host: 'evil.example' } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).end(),
  );
  expect(status).toBe(421);
  expect((await fetch(`${catcher.url}/messages`, { method: 'POST' })).status).toBe(405);
  expect((await get('/mails/none')).status).toBe(404);
  expect((await get('/%')).status).toBe(404);
  expect((await get('//')).status).toBe(400);
});

it('uses the preferred ports if they are free', async () => {
  const port = Number(new URL(catcher.url).port);
  const other = await openMailCatcher({ user: 'u', password: 'p', pagePort: port });
  expect(other.url).not.toBe(catcher.url);
  await other.close();
  const freed = Number(new URL(other.url).port);
  expect(await isPortFree(freed, '127.0.0.1')).toBe(true);
  const again = await openMailCatcher({ user: 'u', password: 'p', pagePort: freed });
  expect(again.url).toBe(other.url);
  await again.close();
});
