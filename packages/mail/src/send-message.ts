import type { EmailSettingsBody } from '@uprez/contracts/schemas/settings';
import { emailSchema } from '@uprez/contracts/schemas/user';
import { createTransport, type NodemailerError } from 'nodemailer';
import { MailError } from './mail-error.ts';
import type { RenderedMail } from './render-mail.ts';
import { oneLine } from './words.ts';

export type MailServer = Pick<
  EmailSettingsBody,
  'smtpHost' | 'smtpPort' | 'smtpUser' | 'smtpPassword' | 'smtpSecure' | 'fromEmail' | 'fromName'
>;
/** `id`: the same for every attempt to send one mail, so that a receiver may tell that two are one. */
export type Message = RenderedMail & { id: string; to: string };

const connectMs = 10_000;
const totalMs = 20_000;
/** The port where TLS comes first (RFC 8314); on the others it is asked for. */
const implicitTlsPort = 465;

/**
 * Hand one message to the mail server over a connection of its own, so that settings hold from the next mail on. With
 * `smtpSecure` nothing is sent but over TLS with a valid certificate. Throws MailError.
 */
export async function sendMessage(server: MailServer, message: Message): Promise<void> {
  // In an envelope a comma would make it two addresses.
  if (!emailSchema.safeParse(message.to).success) throw new MailError('the recipient is not an address', true);
  const transport = createTransport({
    host: server.smtpHost,
    port: server.smtpPort,
    secure: server.smtpPort === implicitTlsPort,
    requireTLS: server.smtpSecure,
    // Where TLS is not demanded, a server's own certificate is still better than none.
    tls: { rejectUnauthorized: server.smtpSecure },
    ...(server.smtpUser && { auth: { user: server.smtpUser, pass: server.smtpPassword } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: totalMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      // Objects, not text: nothing in them is read as a list of addresses.
      from: { name: oneLine(server.fromName), address: server.fromEmail },
      to: { name: '', address: message.to },
      envelope: { from: server.fromEmail, to: [message.to] },
      subject: message.subject,
      html: message.html,
      text: message.text,
      messageId: `<${message.id}@${server.fromEmail.split('@').at(-1)}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      signal: AbortSignal.timeout(totalMs),
    });
  } catch (error) {
    throw describe(error as NodemailerError);
  } finally {
    transport.close();
  }
}

/**
 * A refused recipient or message is permanent; a refused sender, sign-in or connection is the settings' fault, which an
 * administrator may mend before the next attempt.
 */
function describe(error: NodemailerError): MailError {
  const isAboutMail = error.command === 'RCPT TO' || (error.command === 'DATA' && error.code === 'EMESSAGE');
  const words = [error.code, error.command, error.response ?? error.message].filter(Boolean).join(': ');
  const isPermanent =
    (isAboutMail && error.permanent === true) || (error.command === 'API' && error.code === 'EENVELOPE');
  return new MailError(words.replaceAll(/\S+@\S+/g, '[address]').slice(0, 300), isPermanent);
}
