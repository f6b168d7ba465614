import { newsletterLimits } from '@uprez/contracts/policy/newsletter';
import type { Campaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import { formatCount } from '@uprez/contracts/texts/format';
import { Card } from '../../../ui/layout/card.tsx';
import { TimeCell } from '../payments/cells.tsx';
import { type PlainColumn, PlainTable } from '../users/plain-table.tsx';
import { campaignMessages } from './messages.ts';

const text = campaignMessages.failures;

const columns: PlainColumn<Campaign['failures'][number]>[] = [
  {
    name: text.email,
    cell: ({ email }) =>
      email === null ? (
        <span className="text-muted">{text.deleted}</span>
      ) : (
        <span className="font-medium">{email}</span>
      ),
  },
  { name: text.reason, cell: ({ reason }) => reason },
  { name: text.attempts, cell: ({ attempts }) => formatCount(attempts) },
  { name: text.at, cell: ({ at }) => <TimeCell at={at} /> },
];

/** The emails of a campaign that failed, with the answer of the mail server. */
export const FailuresCard = ({ campaign: { failures, failed } }: { campaign: Campaign }) => (
  <Card title={text.title}>
    {failed > newsletterLimits.failures && <p className="text-muted text-sm">{text.latest}</p>}
    <PlainTable caption={text.caption} columns={columns} rows={failures} rowKey={({ email, at }) => `${at} ${email}`} />
  </Card>
);
