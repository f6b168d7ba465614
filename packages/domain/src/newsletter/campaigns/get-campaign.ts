import { type CampaignKind, campaignSorts, newsletterLimits } from '@uprez/contracts/policy/newsletter';
import type { Campaign, CampaignRow } from '@uprez/contracts/schemas/newsletter/campaigns';
import { countRecipients } from '@uprez/db/queries/newsletter/campaign-mails';
import {
  type CampaignWithCounts,
  countCampaigns,
  findCampaign,
  findCampaignArticle,
  findCampaignUpdate,
  listFailedMails,
  listCampaigns as listRows,
} from '@uprez/db/queries/newsletter/campaigns';
import { getByUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { defineTable } from '../../read-table.ts';

/** `audience`: number of recipients if the campaign started now. */
function presentRow(row: CampaignWithCounts, audience: number): CampaignRow {
  const { id, kind, subject, state, sendAt, startedAt, finishedAt, createdAt, author, counts } = row;
  const { sent, failed, skipped, pending } = counts;
  return {
    ...{ id, kind, subject, state, sent, failed, skipped, pending },
    author: author === null ? null : { email: author },
    recipients: startedAt ? sent + failed + skipped + pending : audience,
    sendAt: sendAt?.toISOString() ?? null,
    startedAt: startedAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** These are the news subscribers, because an incident campaign starts when it is created. */
const countNewsSubscribers = ({ db }: Needs<'db'>) => countRecipients(db, { topic: 'news' });

const campaigns = defineTable({
  name: 'campaigns',
  sorts: campaignSorts,
  list: listRows,
  count: countCampaigns,
  present: async (rows, ctx) => {
    const audience = await countNewsSubscribers(ctx);
    return rows.map((row) => presentRow(row, audience));
  },
});

/** Returns a page of campaigns. Throws `invalid_parameter` if the cursor is invalid. */
export const listCampaigns = campaigns.page;

/** Returns a campaign with its text, its progress, and its failures. Throws `campaign_not_found`. */
export async function getCampaign(ctx: Needs<'db'>, id: string): Promise<Campaign> {
  const row = await getByUuid(id, () => findCampaign(ctx.db, id), 'campaign_not_found');
  const failures = await listFailedMails(ctx.db, row.id, newsletterLimits.failures);
  return {
    ...presentRow(row, await countNewsSubscribers(ctx)),
    version: row.version,
    text: row.textMd,
    html: row.html,
    article: await findArticle(ctx, row),
    incident: await findIncident(ctx, row),
    failures: failures.map(({ email, attempts, lastError, endedAt }) => ({
      ...{ email, attempts, reason: lastError ?? '' },
      at: (endedAt ?? row.createdAt).toISOString(),
    })),
  };
}

type CampaignSubject = { kind: CampaignKind; articleId: string | null; incidentUpdateId: string | null };

async function findArticle({ db }: Needs<'db'>, { articleId }: CampaignSubject): Promise<Campaign['article']> {
  const found = articleId === null ? undefined : await findCampaignArticle(db, articleId);
  if (!found) return null;
  const { id, title, excerpt, isPublished } = found;
  return { id, title, excerpt, isPublished };
}

async function findIncident({ db }: Needs<'db'>, { incidentUpdateId }: CampaignSubject): Promise<Campaign['incident']> {
  const found = incidentUpdateId === null ? undefined : await findCampaignUpdate(db, incidentUpdateId);
  return found ? { id: found.id, title: found.title } : null;
}
