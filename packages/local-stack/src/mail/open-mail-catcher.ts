import { findFreePort, isPortFree } from '../find-free-port.ts';
import { makeMailbox } from './mailbox.ts';
import { openMailPage } from './open-mail-page.ts';
import { openSmtp, type SmtpOptions } from './open-smtp.ts';

export interface MailCatcherOptions extends Pick<SmtpOptions, 'user' | 'password' | 'refuse'> {
  /** Taken where they are free, so that addresses stay the same from start to start; else any others. */
  smtpPort?: number;
  pagePort?: number;
}

export interface MailCatcher {
  /** Settings of a service whose mails are to be caught. */
  env: Record<'SMTP_HOST' | 'SMTP_PORT' | 'SMTP_SECURE' | 'SMTP_USER' | 'SMTP_PASSWORD', string>;
  /** The page that shows them. */
  url: string;
  close(): Promise<void>;
}

/** A mail server that delivers nothing, and a page that shows what it was given; both on loopback. */
export async function openMailCatcher({ smtpPort, pagePort, ...smtp }: MailCatcherOptions): Promise<MailCatcher> {
  const mailbox = makeMailbox();
  const port = await choosePort(smtpPort);
  const server = await openSmtp({ ...smtp, port, mailbox });
  const page = await openMailPage(await choosePort(pagePort), mailbox).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  return {
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

async function choosePort(wanted: number | undefined): Promise<number> {
  if (wanted !== undefined && wanted <= 65_535 && (await isPortFree(wanted, '127.0.0.1'))) return wanted;
  return findFreePort();
}
