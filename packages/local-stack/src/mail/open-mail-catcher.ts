import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import PostalMime from 'postal-mime';
import {
  SMTPServer,
  type SMTPServerAuthentication,
  type SMTPServerDataStream,
  type SMTPServerSession,
} from 'smtp-server';
import { escapeHtml } from '../escape-html.ts';
import { choosePort, isLoopbackName } from '../find-free-port.ts';

export interface MailCatcherOptions extends Pick<SmtpOptions, 'user' | 'password' | 'reject'> {
  /** If a port is taken, a free port is used instead. */
  smtpPort?: number;
  pagePort?: number;
  /** Default: 500. */
  kept?: number;
}

export type MailCatcher = Awaited<ReturnType<typeof openMailCatcher>>;

/** Opens an SMTP server on loopback that stores emails instead of delivering them, and a page that shows them. */
export async function openMailCatcher({ smtpPort, pagePort, kept, ...smtp }: MailCatcherOptions) {
  const mailbox = makeMailbox(kept);
  const port = await choosePort(smtpPort);
  const server = await openSmtp({ ...smtp, port, mailbox });
  const page = await openMailPage(await choosePort(pagePort), mailbox).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  return {
    /** Environment variables that make a service send its email to the catcher. */
    env: {
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(port),
      SMTP_SECURE: 'false',
      SMTP_USER: smtp.user,
      SMTP_PASSWORD: smtp.password,
    },
    url: page.url,
    close: async () => {
      await Promise.all([server.close(), page.close()]);
    },
  };
}

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
/** Links open in new tabs. Scripts, forms, and access to this origin are blocked. */
const sandbox = 'allow-popups allow-popups-to-escape-sandbox';
const htmlHeaders = (policy: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
});
const pageHeaders = htmlHeaders(
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);
const emailHeaders = htmlHeaders(
  `sandbox ${sandbox}; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'`,
);

/**
 * Serves the emails in a mailbox on loopback. `/` lists the emails, `/mails/ID` shows one email, and
 * `/messages?to=ADDRESS` returns JSON. Read-only. Accepts only loopback host names, which prevents DNS rebinding.
 */
async function openMailPage(port: number, mailbox: Mailbox): Promise<{ url: string; close(): Promise<void> }> {
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
  if (pathname === '/messages') return presentMessages(mailbox.list(to));
  if (pathname === '/') return { status: 200, headers: pageHeaders, body: renderMailList(mailbox.list(to), to) };
  const [, id = '', part] = /^\/mails\/([^/]+)(\/html)?$/.exec(pathname) ?? [];
  const mail = mailbox.find(id);
  if (!mail) return { status: 404, body: 'email not found\n' };
  return part
    ? { status: 200, headers: emailHeaders, body: mail.html }
    : { status: 200, headers: pageHeaders, body: renderMail(mail) };
}

function presentMessages(mails: readonly CaughtMail[]): PageResponse {
  const messages = mails.map(({ to, subject, text, html: source, headers, date }) => ({
    to: to.join(', '),
    subject,
    headers,
    text,
    html: source,
    date,
  }));
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(messages) };
}

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:1200px;padding:16px}
h1{font-size:20px;font-weight:650;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}
th,td{border-bottom:1px solid #8886;padding:6px 12px 6px 0;text-align:left;vertical-align:top}
time{white-space:nowrap}
@media(max-width:720px){tr,td{display:block}th{display:none}td{border:0;overflow-wrap:anywhere;padding:0}tr{border-bottom:1px solid #8886;padding:8px 0}}
a{color:inherit}
.both{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(320px,1fr))}
iframe{background:#fff;border:1px solid #8886;height:720px;width:100%}
pre{border:1px solid #8886;font:14px/1.5 ui-monospace,monospace;margin:0;overflow-wrap:anywhere;padding:12px;white-space:pre-wrap}`;

function renderMailList(mails: readonly CaughtMail[], to: string): string {
  const rows = mails.map(
    ({ id, date, to: recipients, subject }) =>
      `<tr><td>${renderTime(date)}</td><td>${escapeHtml(recipients.join(', '))}</td><td><a href="/mails/${id}">${escapeHtml(subject || '(no subject)')}</a></td></tr>`,
  );
  const title = to ? `Emails to ${to}` : 'Emails';
  const table = `<table><tr><th>Time</th><th>To</th><th>Subject</th></tr>${rows.join('')}</table>`;
  const none = '<p>No emails yet. Emails that the product sends appear here and are not delivered.</p>';
  return renderPage(title, mails.length > 0 ? table : none);
}

function renderMail({ id, from, to, subject, date, text }: CaughtMail): string {
  const facts = `<p>From ${escapeHtml(from)} to ${escapeHtml(to.join(', '))}, ${renderTime(date)}. <a href="/">All emails</a></p>`;
  const frame = `<iframe sandbox="${sandbox}" src="/mails/${id}/html" title="Email"></iframe>`;
  return renderPage(
    subject || '(no subject)',
    `${facts}<div class="both">${frame}<pre>${renderTextWithLinks(text)}</pre></div>`,
  );
}

/** Uses this machine's time zone, because the page can only be opened on this machine. */
const timeFormat = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const renderTime = (date: string) => `<time datetime="${date}">${timeFormat.format(new Date(date))}</time>`;

const renderPage = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style></head><body><h1>${escapeHtml(title)}</h1>${body}</body></html>`;

const renderTextWithLinks = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) =>
      index % 2
        ? `<a href="${escapeHtml(part)}" rel="noopener noreferrer" target="_blank">${escapeHtml(part)}</a>`
        : escapeHtml(part),
    )
    .join('');

interface SmtpOptions {
  port: number;
  user: string;
  password: string;
  mailbox: Mailbox;
  /** For tests: returns the reply code that rejects a recipient, or undefined to accept it. */
  reject?: ((address: string) => number | undefined) | undefined;
}

const MAX_MAIL_BYTES = 5 * 1024 * 1024;

/**
 * Opens an SMTP server on loopback, without TLS. The server accepts one user and stores received emails in the mailbox.
 */
async function openSmtp({ port, user, password, mailbox, reject }: SmtpOptions): Promise<{ close(): Promise<void> }> {
  const isUser = (auth: SMTPServerAuthentication) => auth.username === user && auth.password === password;
  const server = new SMTPServer({
    logger: false,
    banner: 'Uprez mail catcher',
    disabledCommands: ['STARTTLS'],
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: MAX_MAIL_BYTES,
    closeTimeout: 1_000,
    onAuth: (auth, _session, done) => (isUser(auth) ? done(null, { user }) : done(smtpError('wrong password', 535))),
    onRcptTo: ({ address }, _session, done) => {
      const code = reject?.(address);
      done(code === undefined ? null : smtpError(`rejected: <${address}>`, code));
    },
    onData: (stream, session, done) => {
      readMail(stream, session, mailbox).then(() => done(null), done);
    },
  });
  // Ignores the errors that are emitted when a client disconnects.
  server.on('error', () => undefined);
  const listener = server.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  return { close: () => new Promise((resolve) => server.close(() => resolve())) };
}

async function readMail(stream: SMTPServerDataStream, session: SMTPServerSession, mailbox: Mailbox): Promise<void> {
  const { rcptTo } = session.envelope;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  if (stream.sizeExceeded) throw smtpError('too large', 552);
  const parsed = await PostalMime.parse(Buffer.concat(chunks));
  const { from: sender, subject = '', text = '', html = '' } = parsed;
  const from = sender ? `${sender.name} <${sender.address ?? ''}>` : '';
  const headers = Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value]));
  const to = rcptTo.map(({ address }) => address);
  mailbox.add({ from, to, subject, text, html, headers, date: new Date().toISOString() });
}

const smtpError = (text: string, responseCode: number) => Object.assign(new Error(text), { responseCode });

interface CaughtMail {
  id: string;
  /** The From header, including the sender's name. */
  from: string;
  /** Recipients from the SMTP envelope. */
  to: string[];
  subject: string;
  text: string;
  html: string;
  /** Headers, keyed by lowercase name. */
  headers: Record<string, string>;
  /** Time of arrival, in ISO 8601. */
  date: string;
}

type Mailbox = ReturnType<typeof makeMailbox>;

/** Keeps the newest `kept` emails in memory. */
function makeMailbox(kept = 500) {
  const mails: CaughtMail[] = [];
  return {
    add: (mail: Omit<CaughtMail, 'id'>) => {
      mails.unshift({ id: randomUUID(), ...mail });
      mails.length = Math.min(mails.length, kept);
    },
    /**
     * Returns the emails, newest first. If `to` is set, returns only the emails sent to this recipient, ignoring case.
     */
    list: (to?: string) => mails.filter((mail) => !to || mail.to.some((address) => isSameAddress(address, to))),
    find: (id: string) => mails.find((mail) => mail.id === id),
  };
}

const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
