import { useQuery } from '@tanstack/react-query';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { User } from '@uprez/contracts/schemas/user';
import { useEffect, useMemo } from 'react';
import { userKey } from '../../lib/api/queries.ts';
import { fetchQueryKeyOrNull } from '../../lib/api/query-client.ts';
import { useFocusFallback } from '../../lib/layout/use-focus-fallback.ts';
import { Delayed, Skeleton } from '../../ui/feedback/skeleton.tsx';
import { limitToPlan } from '../../ui/recipe/recipe-settings.ts';
import { EmptyList } from './list/add-files.tsx';
import { ListCard } from './list/list-card.tsx';
import { SettingsCard } from './list/settings-card.tsx';
import { releasePreviews } from './list/thumbnail.tsx';
import { bulkMessages as text } from './messages.ts';
import { openSession } from './session.ts';
import { useBulkSettings } from './state/bulk-settings.ts';
import { useBulk } from './state/bulk-store.ts';
import { isBusy } from './state/rules.ts';

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

/** Processes many images. The list is kept while other pages and tabs are shown. */
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
