import { type DeliveryStatus, deliveryStatuses } from '@uprez/contracts/schemas/webhook-events';
import type { WebhookDeliveryDetail, WebhookDeliveryView, WebhookView } from '@uprez/contracts/schemas/webhooks';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { formatDateTime, formatDuration } from '../../lib/format/format.ts';
import { CopyBlock } from '../../ui/code/copy-block.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { StatusDot } from '../../ui/feedback/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { MoreButton, QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { Disclosure } from '../../ui/layout/disclosure.tsx';
import { webhookMessages } from './messages.ts';
import { useDeliveries, useDelivery, useResendDelivery, useWebhooksRefresh, webhookIdOf } from './use-webhooks.ts';

const text = webhookMessages.deliveries;

function Attempt({ attempt }: { attempt: WebhookDeliveryDetail['attemptLog'][number] }) {
  const { number, at, durationMs, responseStatus, responseBody, error } = attempt;
  const answer = responseStatus === null ? '' : text.answered(responseStatus);
  return (
    <li className="grid min-w-0 gap-1">
      <p className="text-xs">
        {[text.attempt(number, formatDateTime(at)), formatDuration(durationMs), answer].filter(Boolean).join(', ')}
      </p>
      {error && <p className="text-danger text-xs">{error.message}</p>}
      {responseBody && (
        <pre className="max-h-40 overflow-y-auto rounded-control bg-sunken px-3 py-1.5 text-xs whitespace-pre-wrap wrap-anywhere">
          {responseBody}
        </pre>
      )}
    </li>
  );
}

function DeliveryDetail({ webhook, delivery: { id: deliveryId, attempts, status } }: DeliveryProps) {
  const query = useDelivery({ id: webhookIdOf(webhook), deliveryId }, `${status} ${attempts}`);
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-24" />}>
      {({ body, attemptLog }) => (
        <div className="grid min-w-0 gap-3">
          <p className="text-muted text-xs">{text.body}</p>
          <CopyBlock code={body} label={text.copyBody} />
          <ol className="grid gap-3">
            {attemptLog.map((attempt) => (
              <Attempt key={attempt.number} attempt={attempt} />
            ))}
          </ol>
        </div>
      )}
    </QueryView>
  );
}

const statusKinds = { pending: 'active', delivered: 'done', failed: 'failed' } as const;

/** Omits the exact time if the attempt is due within a minute. */
function nextText(at: string): string {
  return Date.parse(at) - Date.now() < 60_000 ? text.nextSoon : text.next(formatDateTime(at));
}

const describeOutcome = ({ attempts, responseStatus, nextAttemptAt }: WebhookDeliveryView): string =>
  [
    text.attempts(attempts),
    ...(responseStatus === null ? [] : [text.answered(responseStatus)]),
    ...(nextAttemptAt === null ? [] : [nextText(nextAttemptAt)]),
  ].join(', ');

type DeliveryProps = { webhook: WebhookView; delivery: WebhookDeliveryView };

function DeliveryRow({ webhook, delivery, isReadOnly }: DeliveryProps & { isReadOnly: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const resend = useResendDelivery({ id: webhookIdOf(webhook), deliveryId: delivery.id });
  return (
    <li className="grid min-w-0 gap-1 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3">
          <code className="text-xs">{delivery.eventType}</code>
          {delivery.subject && <span className="min-w-0 text-sm wrap-anywhere">{delivery.subject}</span>}
          <StatusDot kind={statusKinds[delivery.status]} text={text.statuses[delivery.status]} />
          <time dateTime={delivery.createdAt} className="text-muted text-xs">
            {formatDateTime(delivery.createdAt)}
          </time>
        </div>
        {delivery.status !== 'pending' && !isReadOnly && (
          <Button look="ghost" size="small" pending={resend.isPending} onClick={() => resend.mutate()}>
            {text.again}
          </Button>
        )}
      </div>
      {webhook.url === null && <p className="text-xs wrap-anywhere">{delivery.url}</p>}
      <p className="text-muted text-xs">{describeOutcome(delivery)}</p>
      {delivery.error && <p className="text-danger text-xs wrap-anywhere">{delivery.error.message}</p>}
      <Disclosure label={text.details} open={isOpen} onOpenChange={setIsOpen}>
        <DeliveryDetail webhook={webhook} delivery={delivery} />
      </Disclosure>
    </li>
  );
}

const allStatusesValue = 'every';
const options = [
  { value: allStatusesValue, label: text.every },
  ...deliveryStatuses.map((value) => ({ value, label: text.statuses[value] })),
] as const;

/** `isReadOnly`: whether deliveries can't be resent. */
export function Deliveries({ webhook, isReadOnly }: { webhook: WebhookView; isReadOnly: boolean }) {
  const [chosen, setChosen] = useState<DeliveryStatus | typeof allStatusesValue>(allStatusesValue);
  const query = useDeliveries(webhookIdOf(webhook), chosen === allStatusesValue ? undefined : chosen);
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
        empty={<EmptyState {...(chosen === allStatusesValue ? text.empty : text.noneLike)} />}
      >
        {(rows) => (
          <ul
            aria-label={text.of(webhook.url ?? webhookMessages.jobs)}
            className="divide-y divide-line border-line border-y"
          >
            {rows.map((row) => (
              <DeliveryRow key={row.id} webhook={webhook} delivery={row} isReadOnly={isReadOnly} />
            ))}
          </ul>
        )}
      </QueryView>
      <MoreButton query={query} />
    </div>
  );
}
