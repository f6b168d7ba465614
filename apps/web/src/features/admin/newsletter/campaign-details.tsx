import type { Campaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import { formatCount } from '@uprez/contracts/texts/format';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../../lib/format/format.ts';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { FactGrid } from '../../../ui/layout/fact-grid.tsx';
import { CampaignBadge } from './cells.tsx';
import { campaignMessages } from './messages.ts';

const { details: text, progress, author: authors, kinds } = campaignMessages;
type Fact = readonly [label: string, value: ReactNode];

const toTimeFacts = (label: string, at: string | null): Fact[] => (at === null ? [] : [[label, formatDateTime(at)]]);

function listTimes({ state, sendAt, startedAt, finishedAt }: Campaign): Fact[] {
  return [
    ...toTimeFacts(text.sendAt, state === 'scheduled' ? sendAt : null),
    ...toTimeFacts(text.startedAt, startedAt),
    ...toTimeFacts(state === 'cancelled' ? text.finishedAt.cancelled : text.finishedAt.sent, finishedAt),
  ];
}

function listCounts({ startedAt, recipients, sent, failed, skipped, pending }: Campaign): Fact[] {
  const counts: [string, number][] = [
    [text.recipients, recipients],
    ...(startedAt === null
      ? []
      : ([
          [text.sent, sent],
          [text.failed, failed],
          [text.skipped, skipped],
          [text.pending, pending],
        ] as [string, number][])),
  ];
  return counts.map(([label, count]) => [label, formatCount(count)]);
}

const authorNameOf = ({ author, kind }: Campaign) =>
  author?.email ?? (kind === 'incident' ? authors.status : authors.none);

export function CampaignDetails({ campaign }: { campaign: Campaign }) {
  const { state, kind, createdAt, recipients, skipped, pending } = campaign;
  const done = recipients - pending;
  return (
    <Card title={text.title} actions={<CampaignBadge state={state} />}>
      {(state === 'sending' || state === 'paused') && recipients > 0 && (
        <ProgressBar
          label={progress.label}
          valueText={progress.value(done, recipients)}
          percent={Math.floor((done / recipients) * 100)}
        />
      )}
      <FactGrid
        facts={[
          ...listCounts(campaign),
          [text.kind, kinds[kind]],
          [text.author, authorNameOf(campaign)],
          [text.created, formatDateTime(createdAt)],
          ...listTimes(campaign),
        ]}
      />
      {skipped > 0 && <p className="text-muted text-xs">{text.skippedHint}</p>}
    </Card>
  );
}
