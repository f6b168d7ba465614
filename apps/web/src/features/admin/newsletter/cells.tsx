import { type CampaignState, type SubscriberState, topicNames } from '@uprez/contracts/policy/newsletter';
import type { CampaignRow } from '@uprez/contracts/schemas/newsletter/campaigns';
import type { Subscriber } from '@uprez/contracts/schemas/newsletter/subscribers';
import { formatCount } from '@uprez/contracts/texts/format';
import { serviceNames } from '@uprez/contracts/texts/status';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { campaignPath } from '../frame/admin-paths.ts';
import { TimeCell } from '../payments/cells.tsx';
import { campaignMessages, subscriberMessages } from './messages.ts';

type BadgeKind = ComponentProps<typeof Badge>['kind'];

const subscriberKinds: Record<SubscriberState, BadgeKind> = {
  pending: 'warning',
  confirmed: 'success',
  unsubscribed: 'neutral',
  bounced: 'danger',
};

export const SubscriberBadge = ({ state }: Pick<Subscriber, 'state'>) => (
  <Badge kind={subscriberKinds[state]}>{subscriberMessages.states[state]}</Badge>
);

export const TopicsCell = ({ topics, services }: Pick<Subscriber, 'topics' | 'services'>) => (
  <span className="grid">
    <span>{topics.map((topic) => topicNames[topic]).join(', ') || subscriberMessages.none}</span>
    {topics.includes('status') && (
      <span className="text-muted text-xs">
        {services.map((service) => serviceNames[service]).join(', ') || subscriberMessages.allServices}
      </span>
    )}
  </span>
);

const campaignKinds: Record<CampaignState, BadgeKind> = {
  draft: 'neutral',
  scheduled: 'info',
  sending: 'warning',
  paused: 'warning',
  sent: 'success',
  cancelled: 'neutral',
};

export const CampaignBadge = ({ state }: Pick<CampaignRow, 'state'>) => (
  <Badge kind={campaignKinds[state]}>{campaignMessages.states[state]}</Badge>
);

export const SubjectCell = ({ id, subject, kind }: CampaignRow) => (
  <span className="grid">
    <Link
      to={campaignPath(id)}
      className="rounded-control font-medium underline decoration-line underline-offset-4 wrap-anywhere hover:decoration-current"
    >
      {subject}
    </Link>
    <span className="text-muted text-xs">{campaignMessages.kinds[kind]}</span>
  </span>
);

export const CountCell = ({ count }: { count: number }) => (
  <span className="whitespace-nowrap">{formatCount(count)}</span>
);

export const StartCell = ({ startedAt, sendAt }: CampaignRow) => {
  const at = startedAt ?? sendAt;
  return at ? <TimeCell at={at} /> : campaignMessages.none;
};
