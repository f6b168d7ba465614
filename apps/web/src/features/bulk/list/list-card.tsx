import { limits } from '@uprez/contracts/policy/limits';
import type { Tier } from '@uprez/contracts/policy/plans';
import { formatBytes } from '@uprez/contracts/texts/format';
import { useCallback, useMemo } from 'react';
import { useDashboard } from '../../../lib/api/queries.ts';
import { useDropArea } from '../../../lib/images/use-drop-area.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import type { RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';
import { bulkMessages as text } from '../messages.ts';
import { addExtraFiles, clearList } from '../run/change-list.ts';
import { runRows } from '../run/run-rows.ts';
import { findShortage, meterFor } from '../state/bulk-settings.ts';
import { type BulkState, useBulk } from '../state/bulk-store.ts';
import { isBusy, isImage, type Row, splitByPlan, summarizeList } from '../state/row.ts';
import { maxStoredBytes } from '../state/saved-list.ts';
import { AddFilesBar, fileInput } from './add-files.tsx';
import { BulkList } from './bulk-list.tsx';
import { Downloads } from './downloads.tsx';
import { ListActions, SummaryBar } from './list-footer.tsx';
import { ShortageNotice, UpgradeCard } from './plan-notices.tsx';

function ExtraFilesNotice({ rows, extraFiles }: Pick<BulkState, 'rows' | 'extraFiles'>) {
  const here = extraFiles.some(({ file }) => file);
  const hasRoom = rows.filter(isImage).length < limits.batchItems;
  const isOver = rows.every(({ status }) => status !== 'pending');
  return (
    <Notice kind="info">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <details>
          <summary className="cursor-pointer font-medium">{text.aside(extraFiles.length)}</summary>
          <ul className="mt-2 grid max-h-48 gap-1 overflow-y-auto text-muted text-xs">
            {extraFiles.map(({ relativePath, size }, index) => (
              <li key={index}>{`${relativePath} · ${formatBytes(size)}`}</li>
            ))}
          </ul>
        </details>
        {here && hasRoom && (
          <Button look="secondary" size="small" onClick={addExtraFiles}>
            {text.asideAdd}
          </Button>
        )}
        {here && !hasRoom && isOver && (
          <Button look="secondary" size="small" onClick={clearList}>
            {text.asideNext}
          </Button>
        )}
      </div>
      <p className="text-muted">{here ? text.asideText(extraFiles.length) : text.asideLost}</p>
    </Notice>
  );
}

function Overlay({ state }: { state: string }) {
  if (state !== 'dragging' && state !== 'accepted' && state !== 'rejected') return null;
  return (
    <div className="absolute inset-0 z-10 grid place-items-center rounded-card border-2 border-accent border-dashed bg-veil">
      <p className="sticky top-1/2 bottom-1/2 font-medium">{state === 'rejected' ? text.dropReject : text.dropNow}</p>
    </div>
  );
}

function Notices({ state, lost }: { state: BulkState; lost: number }) {
  const { rows, extraFiles, keeps, stalled, error } = state;
  return (
    <>
      {!keeps && <Notice kind="warning">{text.notKept}</Notice>}
      {lost > 0 && (
        <Notice kind="warning">
          <p className="font-medium">{text.lostTitle(lost)}</p>
          <p className="text-muted">{text.lostText(maxStoredBytes)}</p>
        </Notice>
      )}
      {extraFiles.length > 0 && <ExtraFilesNotice rows={rows} extraFiles={extraFiles} />}
      {stalled && <Notice kind="warning">{text.stalled}</Notice>}
      {error && (
        <Notice kind="danger">
          <p className="font-medium">{text.problem}</p>
          <p>{error}</p>
        </Notice>
      )}
    </>
  );
}

function useRun(settings: RecipeSettings, tier: Tier) {
  const state = useBulk();
  const { rows } = state;
  const { data: dashboard } = useDashboard();
  const { run, locked } = useMemo(() => splitByPlan(rows, tier), [rows, tier]);
  const expected = findShortage(dashboard, { needs: run.length, meter: meterFor(settings), tier });
  const onRun = useCallback((some: readonly Row[]) => void runRows({ rows: some, recipe: settings }), [settings]);
  return { state, busy: isBusy(state), run, locked, shortage: state.shortage ?? expected, onRun };
}

export function ListCard({ settings, tier }: { settings: RecipeSettings; tier: Tier }) {
  const { state, busy, run, locked, shortage, onRun } = useRun(settings, tier);
  const { rows, runIds } = state;
  const drop = useDropArea(fileInput);
  const summary = useMemo(() => summarizeList(rows, runIds), [rows, runIds]);
  const lockedIds = useMemo(() => new Set(locked.map(({ id }) => id)), [locked]);
  const rejected = rows.filter(({ status }) => status === 'rejected').length;
  return (
    <div {...drop.rootProps} className="relative rounded-card border border-line bg-surface">
      <input {...drop.inputProps} aria-label={text.file} />
      <div className="grid gap-3 border-line border-b p-3 sm:p-4">
        <AddFilesBar onOpen={drop.open} rejected={rejected} />
        <Notices state={state} lost={summary.lost} />
        {!busy && locked.length > 0 && (
          <UpgradeCard tier={tier} files={run.length + locked.length} locked={locked.length} />
        )}
      </div>
      <BulkList rows={rows} factor={settings.scaleFactor} locked={lockedIds} busy={busy} onRun={onRun} />
      <div
        data-action-bar
        className="sticky bottom-0 z-10 grid gap-3 rounded-b-card border-line border-t bg-surface p-3 sm:p-4"
      >
        {shortage && !busy && (
          <ShortageNotice
            shortage={shortage}
            onRunSome={() => void runRows({ rows: run, recipe: settings, acceptPartial: true })}
          />
        )}
        <SummaryBar summary={summary} busy={busy} started={runIds.length > 0 || summary.done + summary.failed > 0} />
        <div className="flex flex-wrap items-center justify-between gap-2">
          <ListActions state={state} busy={busy} run={run} locked={locked.length} onRun={onRun} />
          <div className="flex flex-wrap items-center gap-2">
            <Downloads batches={state.batches} />
          </div>
        </div>
      </div>
      <Overlay state={drop.state} />
    </div>
  );
}
