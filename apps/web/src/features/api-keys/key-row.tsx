import { useQuery } from '@tanstack/react-query';
import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { limits } from '@uprez/contracts/policy/limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { ApiKeyView, apiKeyDaySchema } from '@uprez/contracts/schemas/api-keys';
import { formatCount } from '@uprez/contracts/texts/format';
import { Pencil, RefreshCw, Trash2, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type * as z from 'zod';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { useNow } from '../../lib/browser/use-now.ts';
import { formatDate, formatDateTime } from '../../lib/format/format.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { DayChart } from '../../ui/charts/day-chart.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Meter } from '../../ui/feedback/meter.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { Disclosure } from '../../ui/layout/disclosure.tsx';
import { FactGrid } from '../../ui/layout/fact-grid.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { FormDialog, RotationDialog } from '../../ui/overlays/form-dialog.tsx';
import { ActionsMenu } from '../../ui/overlays/menu.tsx';
import { draftOf, KeyLimitFields, keyChangeSchema, toKeyChangeBody } from './key-draft.tsx';
import { isUnused, keyStateOf } from './key-state.ts';
import { apiKeysMessages } from './messages.ts';
import { CurlSnippet } from './secret-panel.tsx';
import { UnverifiedNotice } from './unverified-notice.tsx';
import { type KeyCreation, useChangeKey, useDeleteKey, useToggleKey } from './use-api-keys.ts';

type KeyActionsProps = { apiKey: ApiKeyView; ownPlan: Plan; rotate: KeyCreation['rotate'] | undefined };

const { row: text, usage: usageText } = apiKeysMessages;

const minuteMs = 60_000;

export function KeyRow({ apiKey, ownPlan, rotate }: KeyActionsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const toggle = useToggleKey(apiKey);
  const now = useNow(minuteMs);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex items-start justify-between gap-3">
        <Heading apiKey={apiKey} />
        <div className="flex shrink-0 items-center gap-1">
          <Switch
            label={text.toggle(apiKey.name)}
            labelHidden
            checked={apiKey.isActive}
            disabled={apiKey.isExpired}
            onChange={(isActive) => toggle.mutate(isActive)}
          />
          <KeyActions apiKey={apiKey} ownPlan={ownPlan} rotate={rotate} />
        </div>
      </div>
      <KeyFacts apiKey={apiKey} />
      {isUnused(apiKey, now) && (
        <p className="flex items-center gap-1.5 text-sm">
          <TriangleAlert aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-warning" />
          {text.unused}
        </p>
      )}
      <Disclosure label={text.usage} open={isOpen} onOpenChange={setIsOpen}>
        <div className="grid min-w-0 gap-4">
          <KeyUsage apiKey={apiKey} />
          <CurlSnippet apiKey={apiKey} />
        </div>
      </Disclosure>
    </li>
  );
}

const { row: keyActionsText, edit: editText, rotate: rotateText, remove: removeText } = apiKeysMessages;

const overlapLimits = { default: limits.apiKeyOverlapHours, max: limits.apiKeyMaxOverlapHours };

function EditKeyDialog({ apiKey, ownPlan, onClose }: { apiKey: ApiKeyView; ownPlan: Plan; onClose: () => void }) {
  const save = useChangeKey(apiKey);
  const form = useApiForm({
    schema: keyChangeSchema,
    defaultValues: draftOf(apiKey),
    send: (draft) => save.mutateAsync(toKeyChangeBody(draft, Date.now()), { onSuccess: onClose }),
    failure: keyActionsText.updateFailed,
    onInvalid: () => keyActionsText.updateFailed,
  });
  return (
    <FormDialog
      title={editText.title(apiKey.name)}
      form={form}
      text={editText}
      missing={form.watch('name').trim() === '' ? editText.needsName : undefined}
      onClose={onClose}
    >
      <TextField
        label={apiKeysMessages.create.name}
        {...form.field('name')}
        maxLength={limits.nameLength}
        autoComplete="off"
      />
      <KeyLimitFields form={form} ownPlan={ownPlan} apiKey={apiKey} />
    </FormDialog>
  );
}

function KeyActions({ apiKey, ownPlan, rotate }: KeyActionsProps) {
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'remove'>();
  const remove = useDeleteKey(apiKey);
  const close = () => setDialog(undefined);
  const mayRotate = rotate !== undefined && apiKey.replacedBy === null;
  // All rows share one mutation, so its error may belong to another key.
  const isOwnError = rotate?.variables?.former.id === apiKey.id;
  return (
    <>
      <ActionsMenu
        label={keyActionsText.actions(apiKey.name)}
        items={[
          { label: keyActionsText.edit, icon: Pencil, onSelect: () => setDialog('edit') },
          ...(mayRotate
            ? [{ label: keyActionsText.rotate, icon: RefreshCw, onSelect: () => setDialog('rotate') }]
            : []),
          { label: keyActionsText.remove, icon: Trash2, danger: true, onSelect: () => setDialog('remove') },
        ]}
      />
      {dialog === 'edit' && <EditKeyDialog apiKey={apiKey} ownPlan={ownPlan} onClose={close} />}
      {dialog === 'rotate' && rotate && (
        <RotationDialog
          title={rotateText.title(apiKey.name)}
          text={rotateText}
          overlap={overlapLimits}
          rotate={(overlapHours) => rotate.mutateAsync({ former: apiKey, overlapHours })}
          onClose={close}
          notice={isOwnError && hasErrorCode(rotate.error, 'email_unverified') ? <UnverifiedNotice /> : undefined}
        />
      )}
      <ConfirmDialog
        open={dialog === 'remove'}
        onOpenChange={close}
        title={removeText.title(apiKey.name)}
        text={removeText.text(apiKey.keyPreview)}
        confirm={removeText.confirm}
        typed={apiKey.name}
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
      />
    </>
  );
}

const series = (['calls', 'errors', 'units'] as const).map((key) => ({ key, label: usageText.series[key] }));

const badges = { active: 'success', inactive: 'neutral', expired: 'neutral', replaced: 'warning' } as const;

function KeyUsage({ apiKey: { id, name, usageCount, unitsThisMonth } }: { apiKey: ApiKeyView }) {
  const query = useQuery<z.infer<typeof apiKeyDaySchema>[]>({
    queryKey: [routeUrl(apiRoutes.apiKeyUsage, { params: { id } })],
    refetchOnMount: 'always',
  });
  // Refetches the chart when the polled list has new counts, because both must show the same numbers.
  const counted = `${usageCount} ${unitsThisMonth}`;
  const shown = useRef(counted);
  const { refetch } = query;
  useEffect(() => {
    if (shown.current === counted) return;
    shown.current = counted;
    void refetch();
  }, [counted, refetch]);
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton className="h-60 w-full" />}
      isEmpty={(days) => days.every(({ calls }) => calls === 0)}
      empty={<p className="text-muted text-sm">{usageText.none}</p>}
    >
      {(days) => <DayChart days={days} series={series} label={text.usageOf(name)} />}
    </QueryView>
  );
}

function formatLastUse({ lastUsed, lastAddress }: ApiKeyView): string {
  if (!lastUsed) return text.never;
  return lastAddress ? text.usedFrom(formatDateTime(lastUsed), lastAddress) : formatDateTime(lastUsed);
}

function KeyFacts({ apiKey: key }: { apiKey: ApiKeyView }) {
  const { scopeList } = apiKeysMessages.fields;
  const { monthlyCap, unitsThisMonth } = key;
  const facts = [
    [text.created, formatDate(key.createdAt)],
    [text.lastUsed, formatLastUse(key)],
    [text.calls, formatCount(key.usageCount)],
    [key.isExpired ? text.ended : text.ends, key.expiresAt ? formatDateTime(key.expiresAt) : text.noEnd],
    [text.scopes, key.scopes.map((scope) => scopeList[scope].label).join(', ')],
    ...(monthlyCap === null ? [[text.month, formatCount(unitsThisMonth)] as const] : []),
    ...(key.callsPerMinute === null ? [] : [[text.callsPerMinute, formatCount(key.callsPerMinute)] as const]),
    ...(key.addresses.length === 0 ? [] : [[text.addresses, key.addresses.join(', ')] as const]),
    ...(key.allowedOrigins.length === 0 ? [] : [[text.allowedOrigins, key.allowedOrigins.join(', ')] as const]),
  ] as const;
  return (
    <>
      <FactGrid facts={facts} />
      {monthlyCap !== null && (
        <Meter
          label={text.month}
          value={unitsThisMonth}
          max={monthlyCap}
          valueText={text.ofCap(unitsThisMonth, monthlyCap)}
        />
      )}
    </>
  );
}

function Heading({ apiKey }: { apiKey: ApiKeyView }) {
  const state = keyStateOf(apiKey);
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 font-medium text-sm tracking-normal wrap-anywhere">{apiKey.name}</h3>
        <Badge kind={badges[state]}>{apiKeysMessages.states[state]}</Badge>
        {apiKey.kind === 'test' && <Badge kind="neutral">{text.test}</Badge>}
      </div>
      <code className="text-muted text-xs wrap-anywhere">{apiKey.keyPreview}</code>
    </div>
  );
}
