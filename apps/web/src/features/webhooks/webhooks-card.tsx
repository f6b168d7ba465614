import { limits } from '@uprez/contracts/policy/limits';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { User } from '@uprez/contracts/schemas/user';
import { type WebhookView, webhookResendSchema } from '@uprez/contracts/schemas/webhooks';
import { KeyRound, Pencil, RotateCw, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { formatDateTime } from '../../lib/format/format.ts';
import { formatInputTime } from '../../lib/format/input-time.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';
import { paths } from '../../site-map.ts';
import { CopySecret } from '../../ui/code/copy-block.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Disclosure } from '../../ui/layout/disclosure.tsx';
import { FactGrid } from '../../ui/layout/fact-grid.tsx';
import { FormCallDialog } from '../../ui/overlays/call-dialog.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { RotationDialog } from '../../ui/overlays/form-dialog.tsx';
import { ActionsMenu } from '../../ui/overlays/menu.tsx';
import { Deliveries } from './deliveries.tsx';
import { webhookMessages as text } from './messages.ts';
import {
  deliveriesKey,
  type SecretCreation,
  useChangeWebhook,
  useDeleteWebhook,
  useTestWebhook,
  useToggleWebhook,
  useWebhookSecret,
  useWebhooks,
  webhookIdOf,
} from './use-webhooks.ts';
import { WebhookDialog } from './webhook-dialog.tsx';

/** Returns an endpoint's state. `off` takes precedence over `failing`. */
export function webhookStateOf({ isActive, failingSince }: Pick<WebhookView, 'isActive' | 'failingSince'>) {
  if (!isActive) return 'off';
  return failingSince === null ? 'active' : 'failing';
}

/** If the plan doesn't include webhooks, shows only the endpoints left from a former plan. */
export function WebhooksCard({ user }: { user: Pick<User, 'subscriptionTier' | 'planVersion'> }) {
  const live = checkPlanLimits(planOfUser(user), { what: 'webhooks', sandbox: false });
  const sandbox = checkPlanLimits(planOfUser(user), { what: 'webhooks', sandbox: true });
  if (!sandbox.ok) return <FormerWebhooks />;
  return (
    <Card title={text.title}>
      {!live.ok && live.unlockedBy && (
        <p className="text-sm">
          {text.locked(currentPlans[live.unlockedBy].name)}{' '}
          <Link to={paths.pricing} className="underline underline-offset-4">
            {text.plans}
          </Link>
        </p>
      )}
      <Webhooks sandboxOnly={!live.ok} />
    </Card>
  );
}

const badges = { active: 'success', failing: 'warning', off: 'neutral' } as const;

function factsOf(webhook: WebhookView): readonly (readonly [string, string])[] {
  const { facts } = text;
  const { kind, events, createdAt, lastDeliveredAt, failingSince, formerSecretUntil } = webhook;
  return [
    [facts.events, kind === 'jobs' ? facts.ownJob : events.length === 0 ? facts.all : events.join(', ')],
    [facts.delivered, lastDeliveredAt ? formatDateTime(lastDeliveredAt) : facts.never],
    [facts.created, formatDateTime(createdAt)],
    ...(failingSince ? [[facts.failing, formatDateTime(failingSince)] as const] : []),
    ...(formerSecretUntil ? [[facts.former, formatDateTime(formerSecretUntil)] as const] : []),
  ];
}

function Heading({ webhook }: { webhook: WebhookView }) {
  const state = webhookStateOf(webhook);
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

function WebhookRow({ webhook, rotate }: WebhookActionsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const toggle = useToggleWebhook(webhook);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex items-start justify-between gap-3">
        <Heading webhook={webhook} />
        <div className="flex shrink-0 items-center gap-1">
          {webhook.url !== null && rotate && (
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
        <Deliveries webhook={webhook} isReadOnly={!rotate} />
      </Disclosure>
    </li>
  );
}

/** `sandboxOnly`: whether the plan allows only sandbox endpoints. */
function Webhooks({ sandboxOnly }: { sandboxOnly: boolean }) {
  const query = useWebhooks();
  const { secret, create, rotate, clear } = useWebhookSecret();
  const [isAdding, setIsAdding] = useState(false);
  const add = <Button onClick={() => setIsAdding(true)}>{text.add}</Button>;
  return (
    <>
      <p className="text-muted text-sm">{text.intro}</p>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-24" />}
        empty={<EmptyState {...text.empty} action={add} />}
      >
        {(rows) => (
          <>
            <div>{add}</div>
            <ul aria-label={text.title} className="divide-y divide-line">
              {rows.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} rotate={rotate} />
              ))}
            </ul>
          </>
        )}
      </QueryView>
      {isAdding && (
        <WebhookDialog sandboxOnly={sandboxOnly} save={create.mutateAsync} onClose={() => setIsAdding(false)} />
      )}
      {secret !== undefined && (
        <Dialog open onOpenChange={() => {}} title={text.secret.title} description={text.secret.text} wide locked>
          <CopySecret code={secret} label={text.secret.copy} />
          <Button className="sm:justify-self-end" onClick={clear}>
            {text.secret.done}
          </Button>
        </Dialog>
      )}
    </>
  );
}

/** Endpoints left from a former plan. They can only be viewed and deleted. */
function FormerWebhooks() {
  const { data: rows = [] } = useWebhooks();
  if (rows.length === 0) return null;
  return (
    <Card title={text.title}>
      <Notice kind="warning">{text.left}</Notice>
      <ul aria-label={text.title} className="divide-y divide-line">
        {rows.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} />
        ))}
      </ul>
    </Card>
  );
}

const resendText = text.again;

const dayMs = 86_400_000;

const toBody = ({ since }: { since: string }) => ({ since: new Date(since).toISOString() });

const schema = z
  .object({ since: z.string().min(1) })
  .transform(toBody)
  .pipe(webhookResendSchema);

function ResendDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const [now] = useState(Date.now);
  return (
    <FormCallDialog
      text={resendText}
      schema={schema}
      initial={{ since: formatInputTime(now - dayMs) }}
      fields={[
        {
          name: 'since',
          label: resendText.since,
          hint: resendText.sinceHint,
          type: 'datetime-local',
          required: true,
          min: formatInputTime(now - limits.eventDays * dayMs),
          max: formatInputTime(now),
        },
      ]}
      call={async (values) => (await api.resendWebhook({ params: { id }, body: toBody(values) })).data.events}
      refreshes={[deliveriesKey(id)]}
      done={resendText.done}
      onClose={onClose}
    />
  );
}

const overlapLimits = { default: limits.webhookOverlapHours, max: limits.webhookMaxOverlapHours };

/** `rotate`: undefined if the plan doesn't include webhooks. Endpoints can then only be deleted. */
type WebhookActionsProps = { webhook: WebhookView; rotate?: SecretCreation['rotate'] | undefined };

/** The endpoint for single jobs only allows rotating its secret. */
function WebhookActions({ webhook, rotate }: WebhookActionsProps) {
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'resend' | 'remove'>();
  const id = webhookIdOf(webhook);
  const test = useTestWebhook(id);
  const change = useChangeWebhook(webhook);
  const remove = useDeleteWebhook(webhook);
  const close = () => setDialog(undefined);

  const rotation = { label: text.rotate, icon: KeyRound, onSelect: () => setDialog('rotate') };
  const deletion = { label: text.remove, icon: Trash2, danger: true, onSelect: () => setDialog('remove') };
  const isOwn = webhook.kind !== 'jobs';
  const changes = isOwn
    ? [
        { label: text.test, icon: Send, onSelect: () => test.mutate(), disabled: !webhook.isActive },
        { label: text.resend, icon: RotateCw, onSelect: () => setDialog('resend'), disabled: !webhook.isActive },
        { label: text.edit, icon: Pencil, onSelect: () => setDialog('edit') },
        rotation,
      ]
    : [rotation];
  const items = [...(rotate ? changes : []), ...(isOwn ? [deletion] : [])];
  if (items.length === 0) return null;
  return (
    <>
      <ActionsMenu label={text.actions(webhook.url ?? text.jobs)} items={items} />
      {dialog === 'edit' && <WebhookDialog webhook={webhook} save={change.mutateAsync} onClose={close} />}
      {dialog === 'rotate' && rotate && (
        <RotationDialog
          title={text.rotation.title}
          text={text.rotation}
          overlap={overlapLimits}
          rotate={(overlapHours) => rotate.mutateAsync({ id, overlapHours })}
          onClose={close}
        />
      )}
      {dialog === 'resend' && <ResendDialog id={id} onClose={close} />}
      <ConfirmDialog
        open={dialog === 'remove'}
        onOpenChange={close}
        title={text.removal.title}
        text={text.removal.text(webhook.url ?? '')}
        confirm={text.removal.confirm}
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
      />
    </>
  );
}
