import { type DeliveryStatus, deliveryStatuses } from '@uprez/contracts/schemas/webhook-events';
import type { WebhookView } from '@uprez/contracts/schemas/webhooks';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { MoreButton } from '../../ui/feedback/more-button.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { webhookMessages } from './messages.ts';
import { useDeliveries } from './use-deliveries.ts';
import { useWebhooksRefresh, webhookId } from './use-webhooks.ts';

const text = webhookMessages.deliveries;
const every = 'every';
const options = [
  { value: every, label: text.every },
  ...deliveryStatuses.map((value) => ({ value, label: text.statuses[value] })),
] as const;

export function Deliveries({ webhook }: { webhook: WebhookView }) {
  const [chosen, setChosen] = useState<DeliveryStatus | typeof every>(every);
  const id = webhookId(webhook);
  const query = useDeliveries(id, chosen === every ? undefined : chosen);
  useWebhooksRefresh(query.dataUpdatedAt);
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
        empty={<EmptyState {...(chosen === every ? text.empty : text.noneLike)} />}
      >
        {(rows) => (
          <ul
            aria-label={text.of(webhook.url ?? webhookMessages.jobs)}
            className="divide-y divide-line border-line border-y"
          >
            {rows.map((row) => (
              <DeliveryRow key={row.id} webhookId={id} delivery={row} hasOwnUrl={webhook.url === null} />
            ))}
          </ul>
        )}
      </QueryView>
      <MoreButton query={query} />
    </div>
  );
}
