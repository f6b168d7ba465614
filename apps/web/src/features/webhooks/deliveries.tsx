import { type DeliveryStatus, deliveryStatuses } from '@uprez/contracts/webhook-events';
import type { WebhookView } from '@uprez/contracts/webhooks';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { webhookMessages } from '../../messages/webhooks.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { useDeliveries } from './use-deliveries.ts';
import { useFreshWebhooks, webhookId } from './use-webhooks.ts';

const text = webhookMessages.deliveries;
const every = 'every';
const options = [
  { value: every, label: text.every },
  ...deliveryStatuses.map((value) => ({ value, label: text.statuses[value] })),
] as const;

/** What was sent to an endpoint, with what it answered. */
export function Deliveries({ webhook }: { webhook: WebhookView }) {
  const [chosen, setChosen] = useState<DeliveryStatus | typeof every>(every);
  const id = webhookId(webhook);
  const query = useDeliveries(id, chosen === every ? undefined : chosen);
  useFreshWebhooks(query.dataUpdatedAt);
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex items-end justify-between gap-3">
        <div className="w-40">
          <Select label={text.status} labelHidden value={chosen} onChange={setChosen} options={options} />
        </div>
        <IconButton label={text.refresh} icon={RefreshCw} onClick={() => void query.refetch()} />
      </div>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-24" />}
        isEmpty={({ pages }) => pages.every(({ data }) => data.length === 0)}
        empty={<EmptyState {...(chosen === every ? text.empty : text.noneLike)} />}
      >
        {({ pages }) => (
          <ul
            aria-label={text.of(webhook.url ?? webhookMessages.jobs)}
            className="divide-y divide-line border-line border-y"
          >
            {pages.flatMap(({ data }) =>
              data.map((row) => (
                <DeliveryRow key={row.id} webhookId={id} delivery={row} hasOwnUrl={webhook.url === null} />
              )),
            )}
          </ul>
        )}
      </QueryView>
      <MoreButton query={query} />
    </div>
  );
}
