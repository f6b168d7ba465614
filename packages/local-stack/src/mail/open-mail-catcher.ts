import { choosePort } from '../find-free-port.ts';
import { openMailPage } from './open-mail-page.ts';
import { makeMailbox, openSmtp, type SmtpOptions } from './open-smtp.ts';

export interface MailCatcherOptions extends Pick<SmtpOptions, 'user' | 'password' | 'reject'> {
  /** Preferred ports. */
  smtpPort?: number;
  pagePort?: number;
  /** How many emails are kept. */
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
    /** Settings of a service that sends its email to the catcher. */
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
