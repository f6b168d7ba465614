import { newsletterLimits } from '@uprez/contracts/policy/newsletter';
import type { IncidentState, Severity, StatusService } from '@uprez/contracts/policy/status';
import { incidentStateNames } from '@uprez/contracts/texts/status';
import type { Tx } from '@uprez/db/database';
import { countRecipients, insertCampaignMails } from '@uprez/db/queries/newsletter/campaign-mails';
import { insertCampaign } from '@uprez/db/queries/newsletter/campaigns';
import { now } from '@uprez/db/times';
import { uuidv7 } from 'uuidv7';

type IncidentNotice = {
  updateId: string;
  title: string;
  state: IncidentState;
  severity: Severity;
  services: readonly StatusService[];
  authorId: string | null;
};

/**
 * Queues the emails about an incident update to the subscribers of the affected services. Maintenance emails go to all
 * subscribers of status notifications. Each update is emailed only once.
 */
export async function notifySubscribers(
  tx: Tx,
  { updateId, title, state, severity, services, authorId }: IncidentNotice,
) {
  const audience = { topic: 'status', services: severity === 'maintenance' ? undefined : services } as const;
  if ((await countRecipients(tx, audience)) === 0) return;
  const created = await insertCampaign(tx, {
    ...{ id: uuidv7(), kind: 'incident', incidentUpdateId: updateId, articleId: null, authorId },
    subject: `[${incidentStateNames[state]}] ${title}`.slice(0, newsletterLimits.subjectLength),
    ...{ state: 'sending', startedAt: now, sendAt: null, finishedAt: null },
  });
  if (created) await insertCampaignMails(tx, created.id, audience);
}
