import type { WebhookView } from '@uprez/contracts/schemas/webhooks';
import { useState } from 'react';
import { formatTime } from '../../lib/format/format.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Disclosure } from '../../ui/layout/disclosure.tsx';
import { FactGrid } from '../../ui/layout/fact-grid.tsx';
import { Deliveries } from './deliveries.tsx';
import { webhookMessages as text } from './messages.ts';
import { useToggleWebhook } from './use-webhooks.ts';
import { WebhookActions, type WebhookActionsProps } from './webhook-actions.tsx';

/** The state of an endpoint. Off takes precedence over failing. */
export function webhookState({ isActive, failingSince }: Pick<WebhookView, 'isActive' | 'failingSince'>) {
  if (!isActive) return 'off';
  return failingSince === null ? 'active' : 'failing';
}

const badges = { active: 'success', failing: 'warning', off: 'neutral' } as const;

function factsOf(webhook: WebhookView): readonly (readonly [string, string])[] {
  const { facts } = text;
  const { kind, events, createdAt, lastDeliveredAt, failingSince, formerSecretUntil } = webhook;
  return [
    [facts.events, kind === 'jobs' ? facts.ownJob : events.length === 0 ? facts.all : events.join(', ')],
    [facts.delivered, lastDeliveredAt ? formatTime(lastDeliveredAt) : facts.never],
    [facts.created, formatTime(createdAt)],
    ...(failingSince ? [[facts.failing, formatTime(failingSince)] as const] : []),
    ...(formerSecretUntil ? [[facts.former, formatTime(formerSecretUntil)] as const] : []),
  ];
}

function Heading({ webhook }: { webhook: WebhookView }) {
  const state = webhookState(webhook);
  return (
    <div className="grid min-w-0 gap-0.5">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 font-medium text-sm tracking-normal wrap-anywhere">{webhook.url ?? text.jobs}</h3>
        <Badge kind={badges[state]}>{text.states[state]}</Badge>
        {webhook.sandbox && <Badge kind="neutral">{text.sandbox}</Badge>}
      </div>
      {webhook.url === null && <p className="text-muted text-xs">{text.jobsText}</p>}
      {webhook.description && <p className="text-muted text-xs wrap-anywhere">{webhook.description}</p>}
      {webhook.disabledReason && <p className="text-xs">{text.reasons[webhook.disabledReason]}</p>}
    </div>
  );
}

export function WebhookRow({ webhook, rotate }: WebhookActionsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const toggle = useToggleWebhook(webhook);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex items-start justify-between gap-3">
        <Heading webhook={webhook} />
        <div className="flex shrink-0 items-center gap-1">
          {webhook.url !== null && (
            <Switch
              label={text.toggle(webhook.url)}
              labelHidden
              checked={webhook.isActive}
              onChange={(isActive) => toggle.mutate(isActive)}
            />
          )}
          <WebhookActions webhook={webhook} rotate={rotate} />
        </div>
      </div>
      <FactGrid facts={factsOf(webhook)} />
      <Disclosure label={text.deliveries.title} open={isOpen} onOpenChange={setIsOpen}>
        <Deliveries webhook={webhook} />
      </Disclosure>
    </li>
  );
}
