import type { Tier } from '@uprez/contracts/policy/plans';
import { useCallback, useEffect, useMemo } from 'react';
import { useDashboard } from '../../lib/api/queries.ts';
import { EmptyList } from './list/add-files.tsx';

import { releasePreviews } from './list/file-preview.ts';
import { ListCard } from './list/list-card.tsx';
import { ShortageNotice } from './list/plan-notices.tsx';
import { SettingsCard } from './list/settings-card.tsx';
import { findShortage } from './run/find-shortage.ts';
import { runRows } from './run/run-rows.ts';
import { meterFor, usableSettings, useBulkSettings } from './state/bulk-settings.ts';
import { type BulkState, useBulk } from './state/bulk-store.ts';
import type { Row } from './state/row.ts';
import { isBusy, splitByPlan } from './state/rules.ts';

/** The rows that can run with the current plan and units, and the functions that run them. */
function useRun(state: BulkState, tier: Tier) {
  const { rows } = state;
  const chosen = useBulkSettings();
  const settings = useMemo(() => usableSettings(chosen, tier), [chosen, tier]);
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

export function BulkWorkspace({ tier }: { tier: Tier }) {
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
