import type { DeliveryStatus } from '@uprez/contracts/schemas/webhook-events';
import type { WebhookDeliveryDetail, WebhookDeliveryView } from '@uprez/contracts/schemas/webhooks';
import { useState } from 'react';
import { formatDuration, formatTime } from '../../lib/format/format.ts';
import { CopyBlock } from '../../ui/code/copy-block.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { StatusDot } from '../../ui/feedback/badge.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Disclosure } from '../../ui/layout/disclosure.tsx';
import { webhookMessages } from './messages.ts';
import { useDelivery, useResendDelivery } from './use-deliveries.ts';

const text = webhookMessages.deliveries;

function Attempt({ attempt }: { attempt: WebhookDeliveryDetail['attemptLog'][number] }) {
  const { number, at, durationMs, responseStatus, responseBody, error } = attempt;
  const answer = responseStatus === null ? '' : text.answered(responseStatus);
  return (
    <li className="grid min-w-0 gap-1">
      <p className="text-xs">
        {[text.attempt(number, formatTime(at)), formatDuration(durationMs), answer].filter(Boolean).join(', ')}
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

function DeliveryDetail({ webhookId, delivery }: { webhookId: string; delivery: WebhookDeliveryView }) {
  const { id: deliveryId, attempts, status } = delivery;
  const query = useDelivery({ id: webhookId, deliveryId }, `${status} ${attempts}`);
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

const dots = { pending: 'active', delivered: 'done', failed: 'failed' } as const satisfies Record<
  DeliveryStatus,
  string
>;

/** Attempts due within a minute have no exact time. */
function nextText(at: string): string {
  return Date.parse(at) - Date.now() < 60_000 ? text.nextSoon : text.next(formatTime(at));
}

const outcome = ({ attempts, responseStatus, nextAttemptAt }: WebhookDeliveryView): string =>
  [
    text.attempts(attempts),
    ...(responseStatus === null ? [] : [text.answered(responseStatus)]),
    ...(nextAttemptAt === null ? [] : [nextText(nextAttemptAt)]),
  ].join(', ');

type DeliveryRowProps = {
  webhookId: string;
  delivery: WebhookDeliveryView;
  /** Each delivery has a URL of its own. */
  hasOwnUrl: boolean;
};

export function DeliveryRow({ webhookId, delivery, hasOwnUrl }: DeliveryRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const resend = useResendDelivery({ id: webhookId, deliveryId: delivery.id });
  return (
    <li className="grid min-w-0 gap-1 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3">
          <code className="text-xs">{delivery.eventType}</code>
          {delivery.subject && <span className="min-w-0 text-sm wrap-anywhere">{delivery.subject}</span>}
          <StatusDot kind={dots[delivery.status]} text={text.statuses[delivery.status]} />
          <time dateTime={delivery.createdAt} className="text-muted text-xs">
            {formatTime(delivery.createdAt)}
          </time>
        </div>
        {delivery.status !== 'pending' && (
          <Button look="ghost" size="small" pending={resend.isPending} onClick={() => resend.mutate()}>
            {text.again}
          </Button>
        )}
      </div>
      {hasOwnUrl && <p className="text-xs wrap-anywhere">{delivery.url}</p>}
      <p className="text-muted text-xs">{outcome(delivery)}</p>
      {delivery.error && <p className="text-danger text-xs wrap-anywhere">{delivery.error.message}</p>}
      <Disclosure label={text.details} open={isOpen} onOpenChange={setIsOpen}>
        <DeliveryDetail webhookId={webhookId} delivery={delivery} />
      </Disclosure>
    </li>
  );
}
