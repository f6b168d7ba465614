import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { listHtml, mailHtml, sandbox } from './mail-html.ts';
import type { CaughtMail, Mailbox } from './mailbox.ts';

interface Answer {
  status: number;
  headers?: OutgoingHttpHeaders;
  body: string;
}

const always = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const html = (policy: string) => ({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
const ours = html(
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);
const theirs = html(
  `sandbox ${sandbox}; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'`,
);

/**
 * The page of caught mails on loopback: `/` the list, `/mails/ID` one of them, `/messages?to=ADDRESS` the same as JSON.
 * Reads only; answers to loopback's own names alone, so that no web page reaches it through a name of its own.
 */
export async function openMailPage(port: number, mailbox: Mailbox): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { status, headers, body } = answer(request, mailbox);
    response.writeHead(status, { ...always, ...headers }).end(request.method === 'HEAD' ? undefined : body);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer({ method = '', url = '/', headers }: IncomingMessage, mailbox: Mailbox): Answer {
  if (!isOurName(headers.host)) return { status: 421, body: 'not this host\n' };
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, headers: { allow: 'GET, HEAD' }, body: 'read only\n' };
  if (!URL.canParse(url, 'http://localhost')) return { status: 400, body: 'no such address\n' };
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const to = searchParams.get('to') ?? '';
  if (pathname === '/messages') return listJson(mailbox.list(to));
  if (pathname === '/') return { status: 200, headers: ours, body: listHtml(mailbox.list(to), to) };
  const [, id = '', part] = /^\/mails\/([^/]+)(\/html)?$/.exec(pathname) ?? [];
  const mail = mailbox.find(id);
  if (!mail) return { status: 404, body: 'no such mail\n' };
  return part
    ? { status: 200, headers: theirs, body: mail.html }
    : { status: 200, headers: ours, body: mailHtml(mail) };
}

function listJson(mails: readonly CaughtMail[]): Answer {
  const shown = mails.map(({ to, subject, text, html: source, date }) => ({
    to: to.join(', '),
    subject,
    text,
    html: source,
    date,
  }));
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(shown) };
}

const isOurName = (host = '') => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
