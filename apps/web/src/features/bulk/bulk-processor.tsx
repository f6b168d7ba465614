import { useQuery } from '@tanstack/react-query';
import { formatNames, formatTraits } from '@uprez/contracts/policy/image-formats';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { User } from '@uprez/contracts/schemas/user';
import { memo, useEffect, useMemo } from 'react';
import { userKey } from '../../lib/api/queries.ts';
import { fetchQueryKeyOrNull } from '../../lib/api/query-client.ts';
import { useFocusFallback } from '../../lib/layout/use-focus-fallback.ts';
import { Delayed, Skeleton } from '../../ui/feedback/query-view.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { EngineField, FactorField, FormatField, QualityField } from '../../ui/recipe/recipe-fields.tsx';
import { limitToPlan, type RecipeSettings } from '../../ui/recipe/recipe-settings.ts';
import { EmptyList } from './list/add-files.tsx';
import { ListCard } from './list/list-card.tsx';
import { releasePreviews } from './list/thumbnail.tsx';
import { bulkMessages as text } from './messages.ts';
import { openSession } from './session.ts';
import { useBulkSettings } from './state/bulk-settings.ts';
import { useBulk } from './state/bulk-store.ts';
import { isBusy } from './state/row.ts';

function SettingsSummary({ scaleFactor, format, quality, engine }: RecipeSettings) {
  const parts = [
    text.factor(scaleFactor),
    formatNames[format],
    ...(formatTraits[format].lossy ? [text.quality(quality)] : []),
    engine,
  ];
  return <span className="text-muted text-sm tabular-nums">{parts.join(' · ')}</span>;
}

type SettingsCardProps = { settings: RecipeSettings; tier: Tier; disabled: boolean };

const SettingsCard = memo(function SettingsCard({ settings, tier, disabled }: SettingsCardProps) {
  if (disabled) return <Card title={text.settings} actions={<SettingsSummary {...settings} />} children={null} />;
  const field = { settings, tier, onChange: useBulkSettings.setState };
  return (
    <Card title={text.settings} className="@container">
      <div className="grid items-start gap-x-8 gap-y-5 @2xl:grid-cols-2">
        <FactorField {...field} signedIn />
        <FormatField {...field} />
        <QualityField {...field} />
        <EngineField {...field} />
      </div>
    </Card>
  );
});

function BulkWorkspace({ tier }: { tier: Tier }) {
  const rows = useBulk((state) => state.rows);
  const busy = useBulk(isBusy);
  const chosen = useBulkSettings();
  const settings = useMemo(() => limitToPlan(chosen, tier), [chosen, tier]);
  useEffect(() => releasePreviews(new Set(rows.flatMap(({ file }) => file ?? []))), [rows]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {rows.length === 0 && <EmptyList tier={tier} />}
      <SettingsCard settings={settings} tier={tier} disabled={busy} />
      {rows.length > 0 && <ListCard settings={settings} tier={tier} />}
    </div>
  );
}

function Loading() {
  return (
    <Delayed>
      <span className="sr-only">{text.loading}</span>
      <Skeleton className="h-80" />
    </Delayed>
  );
}

export function BulkProcessor() {
  const { data: user } = useQuery({
    queryKey: userKey,
    queryFn: (context) => fetchQueryKeyOrNull(context) as Promise<User | null>,
  });
  const id = user?.id;
  useEffect(() => {
    if (id !== undefined) void openSession(id);
  }, [id]);
  const listOf = useBulk(({ userId }) => userId);
  const place = useFocusFallback<HTMLElement>(String(useBulk(({ rows }) => rows.length)));
  return (
    <section ref={place} tabIndex={-1} aria-label={text.region} className="scroll-mt-4 outline-none">
      {user && listOf === user.id ? <BulkWorkspace tier={user.subscriptionTier} /> : <Loading />}
    </section>
  );
}
