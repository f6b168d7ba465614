import { useQuery } from '@tanstack/react-query';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { User } from '@uprez/contracts/schemas/user';
import { useCallback, useEffect, useMemo } from 'react';
import { useDashboard, userKey } from '../../lib/api/queries.ts';
import { fetchQueryKeyOrNull } from '../../lib/api/query-client.ts';
import { useFocusFallback } from '../../lib/layout/use-focus-fallback.ts';
import { Delayed, Skeleton } from '../../ui/feedback/skeleton.tsx';
import { limitToPlan } from '../../ui/recipe/recipe-settings.ts';
import { EmptyList } from './list/add-files.tsx';
import { ListCard } from './list/list-card.tsx';
import { ShortageNotice } from './list/plan-notices.tsx';
import { SettingsCard } from './list/settings-card.tsx';
import { releasePreviews } from './list/thumbnail.tsx';
import { bulkMessages as text } from './messages.ts';
import { runRows } from './run/run-rows.ts';
import { openSession } from './session.ts';
import { findShortage, meterFor, useBulkSettings } from './state/bulk-settings.ts';
import { type BulkState, useBulk } from './state/bulk-store.ts';
import type { Row } from './state/row.ts';
import { isBusy, splitByPlan } from './state/rules.ts';

/** The rows that can run with the current plan and units, and the functions that run them. */
function useRun(state: BulkState, tier: Tier) {
  const { rows } = state;
  const chosen = useBulkSettings();
  const settings = useMemo(() => limitToPlan(chosen, tier), [chosen, tier]);
  const { data: dashboard } = useDashboard();
  const busy = isBusy(state);
  const { run, locked } = useMemo(() => splitByPlan(rows, tier), [rows, tier]);
  const expected = findShortage(dashboard, { needs: run.length, meter: meterFor(settings), tier });
  const onRun = useCallback((some: readonly Row[]) => void runRows({ rows: some, recipe: settings }), [settings]);
  return {
    settings,
    ...{ busy, run, locked, onRun },
    onRetry: useCallback((row: Row) => onRun([row]), [onRun]),
    onRunSome: () => void runRows({ rows: run, recipe: settings, acceptPartial: true }),
    shortage: busy ? undefined : (state.shortage ?? expected),
  };
}

function BulkWorkspace({ tier }: { tier: Tier }) {
  const state = useBulk();
  const { rows } = state;
  const { settings, shortage, onRunSome, ...run } = useRun(state, tier);
  useEffect(() => releasePreviews(new Set(rows.flatMap(({ file }) => file ?? []))), [rows]);

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {rows.length === 0 && <EmptyList tier={tier} />}
      <SettingsCard settings={settings} tier={tier} disabled={run.busy} />
      {rows.length > 0 && (
        <ListCard state={state} tier={tier} factor={settings.scaleFactor} {...run}>
          {shortage && <ShortageNotice shortage={shortage} onRunSome={onRunSome} disabled={run.busy} />}
        </ListCard>
      )}
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
