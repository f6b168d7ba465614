import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { lockCampaign } from '@uprez/db/queries/newsletter/campaigns';
import { getByUuid } from '../../actor.ts';
import { type Administrator, lockAdmin } from '../../admin/administrator.ts';
import { writeAudited } from '../../admin/payments/write-audited.ts';
import type { Needs } from '../../context.ts';
import { listMailAges, queueMail } from '../../mails/queue-mail.ts';
import { makeCampaignContent } from '../sending/make-content.ts';
import { requireMailServer, toAuditFields } from './write-campaign.ts';

type TestInput = { admin: Administrator; id: string; publicUrl: string };

/**
 * Sends a test of a campaign to the administrator only, and returns the administrator's email address. Throws
 * `campaign_not_found`, `mail_not_configured`, `campaign_article_hidden`, `email_unverified`, or `rate_limited` after
 * several tests.
 */
export async function testCampaign(
  ctx: Needs<'db' | 'settings'>,
  { admin, id, publicUrl }: TestInput,
): Promise<{ to: string }> {
  await requireMailServer(ctx);
  const audit = { admin, action: 'campaign.test', subject: `campaign:${id.toLowerCase()}` };
  return await writeAudited(ctx, audit, async (tx) => {
    const held = await getByUuid(id, () => lockCampaign(tx, id), 'campaign_not_found');
    const campaign = await makeCampaignContent(tx, held, publicUrl);
    if (!campaign) throw new AppError('campaign_article_hidden');
    // Without the lock, concurrent tests could exceed the limit.
    const { id: userId, email: to, emailVerified } = await lockAdmin(tx, admin);
    // An unverified address may belong to someone else.
    if (!emailVerified) throw new AppError('email_unverified');
    if ((await listMailAges(tx, userId, 'campaign_test')).length >= limits.mailsOfKind)
      throw new AppError('rate_limited', { limitName: 'mails' });
    await queueMail(tx, userId, { mail: 'campaign_test', to, campaign });
    const fields = toAuditFields(held);
    return { result: { to }, before: fields, after: fields };
  });
}
