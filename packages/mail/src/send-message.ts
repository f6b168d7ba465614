import type { EmailSettingsBody } from '@uprez/contracts/schemas/settings';
import { emailSchema } from '@uprez/contracts/schemas/user';
import { createTransport, type NodemailerError } from 'nodemailer';
import type { RenderedMail } from './render-mail.ts';
import { oneLine } from './words.ts';

/** An email that the server rejected. `message` contains no email address. */
export class MailError extends Error {
  /** Whether retrying is pointless. */
  readonly isPermanent: boolean;

  constructor(message: string, isPermanent: boolean) {
    super(message);
    this.name = 'MailError';
    this.isPermanent = isPermanent;
  }
}

export type MailServer = Pick<
  EmailSettingsBody,
  'smtpHost' | 'smtpPort' | 'smtpUser' | 'smtpPassword' | 'smtpSecure' | 'fromEmail' | 'fromName'
>;
/** `id` is the same for all attempts, which lets recipients drop duplicates. */
export type Message = RenderedMail & { id: string; to: string; replyTo?: string; origin?: Origin };
/** Who wrote a message: an event of the site, an automatic reply, or a person (RFC 3834). */
type Origin = 'auto-generated' | 'auto-replied' | 'no';

const connectMs = 10_000;
const totalMs = 20_000;
/** Port with implicit TLS (RFC 8314). Other ports use STARTTLS. */
const implicitTlsPort = 465;

/** Sends a message over its own connection, and changed settings apply to the next one. Throws MailError. */
export async function sendMessage(server: MailServer, message: Message): Promise<void> {
  // A comma would make it two recipients.
  if (!emailSchema.safeParse(message.to).success) throw new MailError('invalid recipient', true);
  try {
    await deliver(server, message, totalMs);
  } catch (error) {
    throw describe(error as NodemailerError, server);
  }
}

/** Sends a message, and returns the answer of the server. Throws NodemailerError, also after `timeoutMs`. */
export async function deliver(server: MailServer, message: Message, timeoutMs: number): Promise<string> {
  const transport = createTransport({
    host: server.smtpHost,
    port: server.smtpPort,
    secure: server.smtpPort === implicitTlsPort,
    requireTLS: server.smtpSecure,
    // If TLS isn't required, a self-signed certificate is still better than none.
    tls: { rejectUnauthorized: server.smtpSecure },
    ...(server.smtpUser && server.smtpPassword && { auth: { user: server.smtpUser, pass: server.smtpPassword } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: totalMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const sent = await transport.sendMail({
      // Objects aren't parsed as lists of addresses.
      from: { name: oneLine(server.fromName), address: server.fromEmail },
      to: { name: '', address: message.to },
      envelope: { from: server.fromEmail, to: [message.to] },
      subject: message.subject,
      html: message.html,
      text: message.text,
      messageId: `<${message.id}@${server.fromEmail.split('@').at(-1)}>`,
      ...(message.replyTo && { replyTo: { name: '', address: message.replyTo } }),
      headers: headersOf(message),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return sent.response;
  } finally {
    transport.close();
  }
}

/** Recipients' mailboxes don't answer automatic messages. */
const headersOf = ({ origin = 'auto-generated' }: Message): Record<string, string> =>
  origin === 'no' ? {} : { 'Auto-Submitted': origin, 'X-Auto-Response-Suppress': 'All' };

/** Hides the password in what a mail server answered, also as it is sent to sign in (AUTH PLAIN and LOGIN). */
export function withoutSecret(text: string, { smtpUser, smtpPassword }: MailServer): string {
  if (smtpPassword === '') return text;
  const encoded = [`\0${smtpUser}\0${smtpPassword}`, smtpPassword].map((sent) => Buffer.from(sent).toString('base64'));
  return [...encoded, smtpPassword].reduce((shown, secret) => shown.replaceAll(secret, () => '[password]'), text);
}

/**
 * A rejected recipient or message is permanent. A rejected sender, login, or connection is a matter of settings, which an
 * administrator can fix before the next attempt.
 */
function describe(error: NodemailerError, server: MailServer): MailError {
  const isAboutMail = error.command === 'RCPT TO' || (error.command === 'DATA' && error.code === 'EMESSAGE');
  const words = [error.code, error.command, error.response ?? error.message].filter(Boolean).join(': ');
  const isPermanent =
    (isAboutMail && error.permanent === true) || (error.command === 'API' && error.code === 'EENVELOPE');
  return new MailError(
    withoutSecret(words, server)
      .replaceAll(/\S+@\S+/g, '[address]')
      .slice(0, 300),
    isPermanent,
  );
}
