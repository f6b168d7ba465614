import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { listHtml, mailHtml, sandbox } from './mail-html.ts';
import type { CaughtMail, Mailbox } from './open-smtp.ts';

interface PageResponse {
  status: number;
  headers?: OutgoingHttpHeaders;
  body: string;
}

const commonHeaders = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const html = (policy: string) => ({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
const pageHeaders = html(
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);
const emailHeaders = html(
  `sandbox ${sandbox}; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'`,
);

/**
 * Serves the emails of a mailbox on loopback: `/` lists them, `/mails/ID` shows one, `/messages?to=ADDRESS` returns JSON.
 * Read-only. Accepts only the host names of loopback, which prevents DNS rebinding.
 */
export async function openMailPage(port: number, mailbox: Mailbox): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { status, headers, body } = respond(request, mailbox);
    response.writeHead(status, { ...commonHeaders, ...headers }).end(request.method === 'HEAD' ? undefined : body);
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

function respond({ method = '', url = '/', headers }: IncomingMessage, mailbox: Mailbox): PageResponse {
  if (!isLoopbackName(headers.host)) return { status: 421, body: 'unknown host\n' };
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, headers: { allow: 'GET, HEAD' }, body: 'read-only\n' };
  if (!URL.canParse(url, 'http://localhost')) return { status: 400, body: 'invalid URL\n' };
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const to = searchParams.get('to') ?? '';
  if (pathname === '/messages') return listJson(mailbox.list(to));
  if (pathname === '/') return { status: 200, headers: pageHeaders, body: listHtml(mailbox.list(to), to) };
  const [, id = '', part] = /^\/mails\/([^/]+)(\/html)?$/.exec(pathname) ?? [];
  const mail = mailbox.find(id);
  if (!mail) return { status: 404, body: 'email not found\n' };
  return part
    ? { status: 200, headers: emailHeaders, body: mail.html }
    : { status: 200, headers: pageHeaders, body: mailHtml(mail) };
}

function listJson(mails: readonly CaughtMail[]): PageResponse {
  const messages = mails.map(({ to, subject, text, html: source, date }) => ({
    to: to.join(', '),
    subject,
    text,
    html: source,
    date,
  }));
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(messages) };
}

const isLoopbackName = (host = '') => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
