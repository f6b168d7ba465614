import { once } from 'node:events';
import PostalMime from 'postal-mime';
import {
  SMTPServer,
  type SMTPServerAuthentication,
  type SMTPServerDataStream,
  type SMTPServerSession,
} from 'smtp-server';
import type { Mailbox } from './mailbox.ts';

export interface SmtpOptions {
  port: number;
  user: string;
  password: string;
  mailbox: Mailbox;
  /** The reply code a recipient is refused with, for tests; undefined: taken. */
  refuse?: ((address: string) => number | undefined) | undefined;
}

const LARGEST_BYTES = 5 * 1024 * 1024;

/** A mail server on loopback, without TLS, that puts what its one user sends into the mailbox and passes nothing on. */
export async function openSmtp({
  port,
  user,
  password,
  mailbox,
  refuse,
}: SmtpOptions): Promise<{ close(): Promise<void> }> {
  const isUser = (auth: SMTPServerAuthentication) => auth.username === user && auth.password === password;
  const server = new SMTPServer({
    logger: false,
    banner: 'Uprez catches mail here',
    disabledCommands: ['STARTTLS'],
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: LARGEST_BYTES,
    closeTimeout: 1_000,
    onAuth: (auth, _session, done) => (isUser(auth) ? done(null, { user }) : done(refusal('wrong password', 535))),
    onRcptTo: ({ address }, _session, done) => {
      const code = refuse?.(address);
      done(code === undefined ? null : refusal(`refused: <${address}>`, code));
    },
    onData: (stream, session, done) => {
      readMail(stream, session, mailbox).then(() => done(null), done);
    },
  });
  // A client that goes away in the middle is its own trouble.
  server.on('error', () => undefined);
  const listener = server.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  return { close: () => new Promise((resolve) => server.close(() => resolve())) };
}

async function readMail(stream: SMTPServerDataStream, session: SMTPServerSession, mailbox: Mailbox): Promise<void> {
  const { rcptTo } = session.envelope;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  if (stream.sizeExceeded) throw refusal('too large', 552);
  const { from: sender, subject = '', text = '', html = '' } = await PostalMime.parse(Buffer.concat(chunks));
  const from = sender ? `${sender.name} <${sender.address ?? ''}>` : '';
  mailbox.add({ from, to: rcptTo.map(({ address }) => address), subject, text, html, date: new Date().toISOString() });
}

const refusal = (text: string, responseCode: number) => Object.assign(new Error(text), { responseCode });
