import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { formatPercent } from '@uprez/contracts/texts/format';
import { useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { api } from '../../../lib/api/api.ts';
import { useDashboard, useEngines } from '../../../lib/api/queries.ts';
import { makeSiteEngines } from '../../../lib/api/site-engines.ts';
import { useNow } from '../../../lib/browser/use-now.ts';
import { formatEstimate } from '../../../lib/format/format.ts';
import { focusInvalidField } from '../../../lib/forms/focus-invalid-field.ts';
import { useDropArea } from '../../../lib/images/use-drop-area.ts';
import { paths } from '../../../site-map.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { LiveNotices } from '../../../ui/feedback/live-notices.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { PacksLink } from '../../../ui/plans/packs-link.tsx';
import { limitSettings, type RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';
import { bulkMessages as text } from '../messages.ts';
import { runRows as startRun } from '../run/run-rows.ts';
import { createBatchEta, type EtaItem } from '../state/batch-eta.ts';
import { meterFor, rowSettingsOf, useBulkSettings } from '../state/bulk-settings.ts';
import { type BulkState, changeRow, type Shortage, useBulk } from '../state/bulk-store.ts';
import { findBlocker } from '../state/find-blocker.ts';
import { isBusy, type Row, type RowStatus, rowsOfRun, summarize } from '../state/row.ts';
import { findLosses, findRepeats, sumSavings } from '../state/row-format.ts';
import { type CostFactors, estimateRunCost, planRow } from '../state/run-cost.ts';
import { splitRun, toCreditPools } from '../state/split-run.ts';
import { AddFilesBar, fileInput } from './add-files.tsx';
import { BulkList } from './bulk-list.tsx';
import { Downloads } from './downloads.tsx';
import { BatchEmailChoice, ListActions, SummaryBar } from './list-footer.tsx';
import { ListNotices } from './list-notices.tsx';

export function ListCard({ settings, ownPlan }: { settings: RecipeSettings; ownPlan: Plan }) {
  const { state, busy, plan, repeats, losses, cost, onRun } = useRun(settings, ownPlan);
  const { rows, runIds, paused } = state;
  const { holds, now, locked, shortage } = plan;
  const drop = useDropArea(fileInput(ownPlan.uploadBytes.web));
  const { shown, control } = useFilter(rows);
  const summary = useMemo(() => summarize(rows), [rows]);
  const runRows = useMemo(() => rowsOfRun(rows, runIds), [rows, runIds]);
  const run = useMemo(() => summarize(runRows), [runRows]);
  const savings = useMemo(() => sumSavings(rows), [rows]);
  const rejected = rows.filter(({ status }) => status === 'rejected').length;
  const later = [...holds.values()].filter((hold) => hold === 'plan').length;
  const isStarted = runIds.length > 0 || summary.done + summary.failed > 0;
  return (
    <div {...drop.rootProps} className="relative rounded-card border border-line bg-surface">
      <input {...drop.inputProps} aria-label={text.file} />
      <div className="grid gap-3 border-line border-b p-3 sm:p-4">
        <AddFilesBar maxBytes={ownPlan.uploadBytes.web} onOpen={drop.open} rejected={rejected}>
          {control}
        </AddFilesBar>
        <ListNotices state={state} lost={summary.lost} />
        {!busy && locked > 0 && (
          <UpgradeCard ownPlan={ownPlan} files={now.length + holds.size} locked={locked} later={later} />
        )}
        {/* Not in the bar below, which would cover the rows of a small screen with it. */}
        {shortage && !busy && <ShortageNotice shortage={shortage} held={holds.size - locked} />}
      </div>
      <BulkList {...{ settings, ownPlan, holds, repeats, busy, onRun }} rows={shown} />
      <div
        data-action-bar
        className="sticky bottom-0 z-10 grid gap-3 rounded-b-card border-line border-t bg-surface p-3 sm:p-4"
      >
        <SummaryBar
          summary={busy && run.total > 0 ? run : summary}
          busy={busy}
          started={isStarted}
          savings={savings}
          cost={cost}
          progress={
            <RunProgress key={String(paused)} {...state} rows={runRows} ownPlan={ownPlan} percent={run.percent} />
          }
        />
        <LossNotice losses={losses} />
        <div className="flex flex-wrap items-center justify-between gap-2">
          <ListActions state={state} busy={busy} plan={plan} onRun={onRun} />
          <div className="flex flex-wrap items-center gap-2">
            <Downloads batches={state.batches} rows={rows} isFinished={findBlocker(state) === 'finished'} />
          </div>
        </div>
      </div>
      <Overlay state={drop.state} />
    </div>
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

function useRun(settings: RecipeSettings, ownPlan: Plan) {
  const state = useBulk();
  const { rows, shortage: known } = state;
  const busy = isBusy(state);
  const { data: dashboard } = useDashboard();
  const { data: engines } = useEngines();
  const settingsOf = useCallback(
    (row: Row) => limitSettings(rowSettingsOf(settings, row), { ownPlan, engines }),
    [settings, ownPlan, engines],
  );
  const plan = useMemo(() => {
    const pools = toCreditPools(dashboard, { ownPlan, known });
    return splitRun(rows, { ownPlan, pools, meterOf: (row) => meterFor(settingsOf(row), row) });
  }, [rows, settingsOf, ownPlan, dashboard, known]);
  const repeats = useMemo(() => findRepeats(plan.now, settingsOf), [plan, settingsOf]);
  const losses = useMemo(() => findLosses(busy ? [] : plan.now, settingsOf), [busy, plan, settingsOf]);
  const cost = useMemo(() => {
    const charged = plan.now.filter(({ id }) => !repeats.has(id));
    if (busy || charged.length === 0) return undefined;
    return estimateRunCost(charged, { ownPlan, engines: engines && makeSiteEngines(engines), settingsOf });
  }, [busy, plan, repeats, settingsOf, ownPlan, engines]);
  const waitSeconds = useQueueWait(cost !== undefined);
  const hasShortage = plan.shortage !== undefined;
  const onRun = useCallback(
    (some: readonly Row[]) => {
      if (focusInvalidField(document.querySelector('main'))) return;
      void startRun({ rows: some, recipe: settings, acceptPartial: hasShortage });
    },
    [settings, hasShortage],
  );
  return { state, busy, plan, repeats, losses, cost: cost && { ...cost, waitSeconds }, onRun };
}

type Filter = 'all' | 'failed';

function useFilter(rows: readonly Row[]) {
  const [chosen, choose] = useState<Filter>('all');
  const failed = useMemo(() => rows.filter(({ status }) => status === 'failed'), [rows]);
  const filter = failed.length > 0 ? chosen : 'all';
  const options = [
    { value: 'all' as const, label: text.filterAll(rows.length) },
    { value: 'failed' as const, label: text.filterFailed(failed.length) },
  ];
  const control = failed.length > 0 && (
    <Segmented legend={text.filter} legendHidden options={options} value={filter} onChange={choose} />
  );
  return { shown: filter === 'failed' ? failed : rows, control };
}

const pollMs = 10_000;

/** Any image will do, because the wait in the queue doesn't depend on it. */
const sampleImageSize = { width: 100, height: 100 };

/** Estimates the wait in the queue, in seconds, for an image submitted now. Returns undefined while it is unknown. */
function useQueueWait(enabled: boolean): number | undefined {
  const { data } = useQuery({
    queryKey: [apiRoutes.estimate.path, 'queue'],
    queryFn: async ({ signal }) => (await api.estimate({ body: sampleImageSize, signal })).data.waitSeconds,
    enabled,
    staleTime: pollMs,
    refetchInterval: ({ state }) => (state.data ? pollMs : false),
  });
  return (enabled && data) || undefined;
}

/** Also overrides the formats of individual images, because some would lose transparency or animation. */
function selectAuto(rows: readonly Row[]) {
  useBulkSettings.setState({ format: 'auto' });
  for (const { id, options } of rows)
    if (options?.format) changeRow(id, (row) => ({ ...row, options: { ...row.options, format: 'auto' } }));
}

function LossNotice({ losses: { transparency, frames } }: { losses: ReturnType<typeof findLosses> }) {
  const rows = [...transparency, ...frames];
  return (
    <LiveNotices>
      {rows.length > 0 && (
        <Notice kind="warning">
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
            <p>{text.losses(transparency.length, frames.length)}</p>
            <Button look="secondary" size="small" onClick={() => selectAuto(rows)}>
              {text.useAuto}
            </Button>
          </div>
        </Notice>
      )}
    </LiveNotices>
  );
}

type RunProgressProps = Pick<BulkState, 'batches' | 'paused'> & {
  rows: readonly Row[];
  ownPlan: Plan;
  percent: number;
};

function RunProgress({ rows, batches, paused, ownPlan, percent }: RunProgressProps) {
  const { data: engines } = useEngines();
  const terms = useMemo(() => ({ ownPlan, engines: engines && makeSiteEngines(engines) }), [ownPlan, engines]);
  const [estimate] = useState(createBatchEta);
  const now = useNow(1_000);
  const seconds = paused ? undefined : estimate(toEtaItems(rows, { batches, ...terms }), now);
  const left = seconds === undefined ? [] : [text.left(formatEstimate(seconds))];
  const valueText = [formatPercent(percent), ...left].join(' · ');
  return (
    <>
      <ProgressBar label={paused ? text.paused : text.progress} valueText={valueText} percent={percent} />
      <BatchEmailChoice seconds={seconds} />
    </>
  );
}

const states: Partial<Record<RowStatus, EtaItem['state']>> = {
  processing: 'running',
  completed: 'done',
  expired: 'done',
  failed: 'dropped',
  cancelled: 'dropped',
  rejected: 'dropped',
};

/**
 * Returns a key for an image's engine and size class. Images with the same key differ in pixel count by at most a
 * factor of 2.
 */
const sizeClassOf = (engine: string, { width, height }: { width: number; height: number }) =>
  `${engine} ${Math.round(Math.log2(width * height))}`;

/** Converts rows to items for the time estimate. Rows of unknown size are assigned the average time. */
function toEtaItems(rows: readonly Row[], { batches, ...terms }: CostFactors & Pick<BulkState, 'batches'>): EtaItem[] {
  const plans = rows.map((row) => planRow(row, batches[row.item?.batchId ?? '']?.recipe ?? recipeDefaults, terms));
  const known = plans.flatMap((plan) => plan?.seconds ?? []);
  const average = known.length === 0 ? 1 : known.reduce((sum, one) => sum + one, 0) / known.length;
  return rows.map(({ id, status, progress, imageSize }, index) => {
    const plan = plans[index];
    return {
      id,
      sizeClass: plan && imageSize ? sizeClassOf(plan.engine, imageSize) : 'unknown',
      seconds: plan?.seconds ?? average,
      state: states[status] ?? 'waiting',
      progress: progress / 100,
    };
  });
}

const linkStyle = buttonStyle({ look: 'secondary', size: 'small' });

const PlansLink = () => (
  <Link to={paths.pricing} className={linkStyle}>
    {text.seePlans}
  </Link>
);

type UpgradeCardProps = {
  ownPlan: Plan;
  files: number;
  /** Number of files that exceed the plan's batch size. */
  locked: number;
  /** Number of `locked` files that the quota covers. */
  later: number;
};

function UpgradeCard({ ownPlan, files, locked, later }: UpgradeCardProps) {
  const permission = checkPlanLimits(ownPlan, { what: 'bulk', files });
  if (permission.ok) return null;
  const opener = permission.unlockedBy && currentPlans[permission.unlockedBy];
  return (
    <section className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 rounded-card border border-accent bg-surface p-3 sm:p-4">
      <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
        <h3 className="text-sm">{text.upgradeTitle(Number(permission.limit))}</h3>
        <p className="text-muted text-xs sm:text-sm">
          {text.upgradeText(locked, later)}
          {opener && ` ${text.upgradeOffer({ ...opener, files: opener.bulkFiles })}`}
        </p>
      </div>
      <PlansLink />
    </section>
  );
}

/** `held`: number of images that can't run. */
function ShortageNotice({ shortage, held }: { shortage: Shortage; held: number }) {
  const { meter, needs, have, resetsAt } = shortage;
  return (
    <Notice kind="warning">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
        <div className="grid gap-0.5">
          <p className="font-medium tabular-nums">{text.shortage(needs, have, meter)}</p>
          <p className="text-muted max-sm:text-xs">
            {have > 0 ? text.waitOrUpgrade(held, resetsAt) : text.waitOrUpgradeAll(resetsAt)}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <PlansLink />
          <PacksLink meter={meter} className={linkStyle} />
        </div>
      </div>
    </Notice>
  );
}
