import { randomUUID } from 'node:crypto';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { Topic } from '@uprez/contracts/policy/newsletter';
import type { CampaignContent } from '@uprez/contracts/schemas/mails';
import { renderCampaign } from '@uprez/mail/render-campaign';
import type { RenderedMail } from '@uprez/mail/render-mail';
import type { Message } from '@uprez/mail/send-message';
import type { Needs } from '../../context.ts';
import { siteOf } from './make-content.ts';

/** Stands for the token of the recipient. No text of an author contains it. */
const placeholder = randomUUID();

export type MailTemplate = { topic: Topic; mail: RenderedMail };

/** Renders a campaign for all of its recipients. */
export async function makeMailTemplate(
  { settings }: Needs<'settings'>,
  content: CampaignContent,
  publicUrl: string,
): Promise<MailTemplate> {
  const { siteName, supportEmail, ...owner } = await settings.read('site');
  const mail = await renderCampaign(content, { siteName, supportEmail, owner, publicUrl, token: placeholder });
  return { topic: content.topic, mail };
}

type Recipient = { id: string; to: string; token: string };

/** The email to one recipient. `id`: the same for all attempts. */
export function fillTemplate({ topic, mail }: MailTemplate, { id, to, token }: Recipient, publicUrl: string): Message {
  const fill = (text: string) => text.replaceAll(placeholder, () => token);
  const query = new URLSearchParams({ token, topic });
  const unsubscribeUrl = `${siteOf(publicUrl)}${routes.unsubscribe.path}?${query}`;
  return { id, to, unsubscribeUrl, subject: mail.subject, html: fill(mail.html), text: fill(mail.text) };
}
