import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import PostalMime from 'postal-mime';
import {
  SMTPServer,
  type SMTPServerAuthentication,
  type SMTPServerDataStream,
  type SMTPServerSession,
} from 'smtp-server';

export interface SmtpOptions {
  port: number;
  user: string;
  password: string;
  mailbox: Mailbox;
  /** For tests: the reply code that rejects a recipient; undefined accepts it. */
  reject?: ((address: string) => number | undefined) | undefined;
}

const LARGEST_BYTES = 5 * 1024 * 1024;

/** Opens an SMTP server on loopback, without TLS, that stores the emails of its one user in the mailbox. */
export async function openSmtp({
  port,
  user,
  password,
  mailbox,
  reject,
}: SmtpOptions): Promise<{ close(): Promise<void> }> {
  const isUser = (auth: SMTPServerAuthentication) => auth.username === user && auth.password === password;
  const server = new SMTPServer({
    logger: false,
    banner: 'Uprez mail catcher',
    disabledCommands: ['STARTTLS'],
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: LARGEST_BYTES,
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
  // Raised when a client disconnects.
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

export interface CaughtMail {
  id: string;
  /** The From header, with the name of the sender. */
  from: string;
  /** The recipients of the SMTP envelope. */
  to: string[];
  subject: string;
  text: string;
  html: string;
  /** By name in lower case. */
  headers: Record<string, string>;
  /** Time of arrival, in ISO 8601. */
  date: string;
}

export type Mailbox = ReturnType<typeof makeMailbox>;

/** Keeps the newest emails in memory. */
export function makeMailbox(kept = 500) {
  const mails: CaughtMail[] = [];
  return {
    add: (mail: Omit<CaughtMail, 'id'>) => {
      mails.unshift({ id: randomUUID(), ...mail });
      mails.length = Math.min(mails.length, kept);
    },
    /** Newest first. `to` limits the list to one recipient, ignoring case. */
    list: (to?: string) => mails.filter((mail) => !to || mail.to.some((address) => isSame(address, to))),
    find: (id: string) => mails.find((mail) => mail.id === id),
  };
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
