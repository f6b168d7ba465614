import type { WebhookDeliveryDetail, WebhookDeliveryView } from '@uprez/contracts/schemas/webhooks';
import { formatDuration, formatTime } from '../../lib/format/format.ts';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { CodeBlock } from './code-block.tsx';
import { webhookMessages } from './messages.ts';
import { useDelivery } from './use-deliveries.ts';

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

type DeliveryDetailProps = { webhookId: string; delivery: WebhookDeliveryView };

/** Request body and attempts of a delivery. */
export function DeliveryDetail({ webhookId, delivery }: DeliveryDetailProps) {
  const { id: deliveryId, attempts, status } = delivery;
  const query = useDelivery({ id: webhookId, deliveryId }, `${status} ${attempts}`);
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-24" />}>
      {({ body, attemptLog }) => (
        <div className="grid min-w-0 gap-3">
          <p className="text-muted text-xs">{text.body}</p>
          <CodeBlock code={body} label={text.copyBody} />
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
