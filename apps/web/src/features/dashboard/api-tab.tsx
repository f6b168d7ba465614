import { useInfiniteQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import type { User } from '@uprez/contracts/schemas/user';
import { type EventType, eventTypeNames } from '@uprez/contracts/schemas/webhook-events';
import type { V1Event } from '@uprez/contracts/v1/events';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { formatDateTime } from '../../lib/format/format.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';
import { CopyBlock } from '../../ui/code/copy-block.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { MoreButton, QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Disclosure } from '../../ui/layout/disclosure.tsx';
import { ApiKeysTab } from '../api-keys/api-keys-tab.tsx';
import { ImageUrlsCard } from '../image-urls/image-urls-card.tsx';
import { webhookMessages } from '../webhooks/messages.ts';
import { WebhooksCard } from '../webhooks/webhooks-card.tsx';

export function ApiTab({ user }: { user: User }) {
  const hasApi = checkPlanLimits(planOfUser(user), { what: 'api' }).ok;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <ApiKeysTab user={user} />
      {hasApi && <ImageUrlsCard />}
      <WebhooksCard user={user} />
      {hasApi && <EventFeedCard />}
    </div>
  );
}

const text = webhookMessages.feed;
const pageSize = 20;

const useEventFeed = (type: EventType | undefined) =>
  useInfiniteQuery({
    queryKey: [apiRoutes.listEvents.path, type ?? ''],
    queryFn: async ({ pageParam: after, signal }) =>
      (await api.listEvents({ query: { after, type, order: 'desc', limit: pageSize }, signal })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    refetchOnMount: 'always',
  });

const allTypesValue = 'every';
const options = [
  { value: allTypesValue, label: text.every },
  ...eventTypeNames.map((value) => ({ value, label: value })),
] as const;

/**
 * Returns what an event is about: a file name, a batch ID, or a meter. Returns an empty string if it has none of them.
 */
const subjectOf = ({ data }: V1Event): string =>
  'filename' in data ? data.filename : 'batch_id' in data ? data.batch_id : 'meter' in data ? data.meter : '';

function EventRow({ event }: { event: V1Event }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="grid min-w-0 gap-1 py-2.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <code className="text-xs">{event.type}</code>
        <span className="min-w-0 text-sm wrap-anywhere">{subjectOf(event)}</span>
        {event.sandbox && <Badge kind="neutral">{text.sandbox}</Badge>}
        <time dateTime={event.timestamp} className="text-muted text-xs">
          {formatDateTime(event.timestamp)}
        </time>
      </div>
      <Disclosure label={text.details} open={isOpen} onOpenChange={setIsOpen}>
        <CopyBlock code={JSON.stringify(event, null, 2)} label={text.copy} />
      </Disclosure>
    </li>
  );
}

function EventFeedCard() {
  const [chosen, setChosen] = useState<EventType | typeof allTypesValue>(allTypesValue);
  const query = useEventFeed(chosen === allTypesValue ? undefined : chosen);
  return (
    <Card
      title={text.title}
      actions={<IconButton label={text.refresh} icon={RefreshCw} onClick={() => void query.refetch()} />}
    >
      <p className="text-muted text-sm">{text.intro}</p>
      <div className="w-52">
        <Select label={text.type} labelHidden value={chosen} onChange={setChosen} options={options} />
      </div>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-40" />}
        empty={<EmptyState {...(chosen === allTypesValue ? text.empty : text.noneLike)} />}
      >
        {(events) => (
          <ul aria-label={text.list} className="divide-y divide-line border-line border-y">
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </ul>
        )}
      </QueryView>
      <MoreButton query={query} />
    </Card>
  );
}
