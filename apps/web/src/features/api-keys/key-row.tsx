import { useQuery } from '@tanstack/react-query';
import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { ApiKeyView, apiKeyDaySchema } from '@uprez/contracts/schemas/api-keys';
import { formatCount } from '@uprez/contracts/texts/format';
import { TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type * as z from 'zod';
import { useNow } from '../../lib/browser/use-now.ts';
import { formatDate, formatTime } from '../../lib/format/format.ts';
import { DayChart } from '../../ui/charts/day-chart.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Meter } from '../../ui/feedback/meter.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { Disclosure } from '../../ui/layout/disclosure.tsx';
import { FactGrid } from '../../ui/layout/fact-grid.tsx';
import { CurlSnippet } from './curl-snippet.tsx';
import { KeyActions, type KeyActionsProps } from './key-actions.tsx';
import { isUnused, keyState } from './key-state.ts';
import { apiKeysMessages } from './messages.ts';
import { useToggleKey } from './use-api-keys.ts';

const { row: text, usage: usageText } = apiKeysMessages;
const series = (['calls', 'errors', 'units'] as const).map((key) => ({ key, label: usageText.series[key] }));
const badges = { active: 'success', inactive: 'neutral', expired: 'neutral', replaced: 'warning' } as const;
const minuteMs = 60_000;

function KeyUsage({ apiKey: { id, name, usageCount, unitsThisMonth } }: { apiKey: ApiKeyView }) {
  const query = useQuery<z.infer<typeof apiKeyDaySchema>[]>({
    queryKey: [routeUrl(apiRoutes.apiKeyUsage, { params: { id } })],
    refetchOnMount: 'always',
  });
  // The list is polled. The chart shows the same numbers.
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

function lastUse({ lastUsed, lastAddress }: ApiKeyView): string {
  if (!lastUsed) return text.never;
  return lastAddress ? text.usedFrom(formatTime(lastUsed), lastAddress) : formatTime(lastUsed);
}

function KeyFacts({ apiKey: key }: { apiKey: ApiKeyView }) {
  const { scopeList } = apiKeysMessages.fields;
  const { monthlyCap, unitsThisMonth } = key;
  const facts = [
    [text.created, formatDate(key.createdAt)],
    [text.lastUsed, lastUse(key)],
    [text.calls, formatCount(key.usageCount)],
    [key.isExpired ? text.ended : text.ends, key.expiresAt ? formatTime(key.expiresAt) : text.noEnd],
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
  const state = keyState(apiKey);
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
