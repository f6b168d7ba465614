import { useQuery } from '@tanstack/react-query';
import { grainRange, strengthRange } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { memo, type RefObject, useEffect, useId, useMemo, useRef } from 'react';
import { useEngines } from '../../lib/api/queries.ts';
import { userQuery } from '../../lib/api/query-client.ts';
import { useFocusFallback } from '../../lib/layout/focus.ts';
import { revealElement } from '../../lib/layout/reveal-element.ts';
import { type CarriedFile, takeCarriedFiles } from '../../lib/session/carried-files.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Delayed, Skeleton } from '../../ui/feedback/query-view.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { AlphaField, DetailField, EdgesField, GrainField, StrengthField } from '../../ui/recipe/look-fields.tsx';
import { recipeMessages } from '../../ui/recipe/messages.ts';
import {
  AdjustedNote,
  EngineField,
  FactorField,
  FormatField,
  NeverLargerField,
  QualityField,
} from '../../ui/recipe/recipe-fields.tsx';
import {
  isLossless,
  limitSettings,
  meterOfEngine,
  type RecipeSettings,
  resolveConflicts,
  supportsCrisp,
  supportsEdges,
} from '../../ui/recipe/recipe-settings.ts';
import { EmptyList } from './list/add-files.tsx';
import { ListCard } from './list/list-card.tsx';
import { useFileHeaders } from './list/read-files.ts';
import { releasePreviews } from './list/thumbnail.tsx';
import { bulkMessages as text } from './messages.ts';
import { addFiles, undoClear } from './run/change-list.ts';
import { renewLinks } from './run/poll-batches.ts';
import { openSession } from './session.ts';
import { toExtraFile } from './state/add-to-list.ts';
import { rowSettingsOf, useBulkSettings } from './state/bulk-settings.ts';
import { setBulk, useBulk } from './state/bulk-store.ts';
import { findBlocker } from './state/find-blocker.ts';
import { isBusy, type Row } from './state/row.ts';

export function BulkProcessor() {
  const { data: user } = useQuery(userQuery);
  const id = user?.id;
  useEffect(() => {
    if (id !== undefined) void openSession(id);
  }, [id]);
  const listOf = useBulk(({ userId }) => userId);
  const place = useFocusFallback<HTMLElement>(useBulk((state) => `${state.rows.length} ${findBlocker(state)}`));
  return (
    <section ref={place} tabIndex={-1} aria-label={text.region} className="scroll-mt-4 outline-none">
      {user && listOf === user.id ? <BulkWorkspace ownPlan={planOfUser(user)} /> : <Loading />}
    </section>
  );
}

function SettingsSummary(settings: RecipeSettings) {
  const { scaleFactor, format, quality, engine, detail, strength, grain, edges, alpha } = rowSettingsOf(settings, {});
  const parts = [
    text.factor(scaleFactor),
    format === 'auto' ? text.autoFormat : recipeMessages.formatName(format),
    ...(isLossless({ engine }, format === 'auto' ? undefined : format) ? [] : [text.quality(quality)]),
    engine === 'auto' ? text.autoEngine : engine,
    ...(detail === 'crisp' ? [recipeMessages.detail.crisp.short] : []),
    ...(strength === undefined ? [] : [recipeMessages.strength.short(strength)]),
    ...(grain ? [recipeMessages.grain.short(grain)] : []),
    ...(edges === 'wrap' ? [recipeMessages.edges.short] : []),
    ...(alpha === 'data' ? [recipeMessages.alpha.short] : []),
  ];
  return <span className="text-muted text-sm tabular-nums">{parts.join(' · ')}</span>;
}

type SettingsCardProps = {
  stored: RecipeSettings;
  settings: RecipeSettings;
  ownPlan: Plan;
  open: boolean;
  foldable: boolean;
};

const SettingsCard = memo(function SettingsCard({ stored, settings, ownPlan, open, foldable }: SettingsCardProps) {
  const id = useId();
  const field = { settings, ownPlan, onChange: useBulkSettings.setState };
  const isNearest = settings.engine === 'nearest';
  const actions = (
    <>
      {!open && <SettingsSummary {...settings} />}
      {foldable && (
        <Button
          look="secondary"
          size="small"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setBulk({ settingsOpen: !open })}
        >
          {open ? text.hideSettings : text.changeSettings}
        </Button>
      )}
    </>
  );
  return (
    <Card title={text.settings} actions={actions} className="@container">
      {open && (
        <div id={id} className="grid items-start gap-x-8 gap-y-5 @2xl:grid-cols-2">
          <FactorField {...field} signedIn />
          <FormatField {...field} />
          <QualityField
            quality={settings.quality}
            settings={{ engine: settings.engine }}
            format={settings.format === 'auto' ? undefined : settings.format}
            onChange={field.onChange}
          />
          <EngineField {...field} />
          {supportsCrisp(settings, settings.scaleFactor) && (
            <DetailField
              detail={settings.detail ?? 'faithful'}
              onChange={({ detail }) => field.onChange({ detail: detail === 'crisp' ? detail : undefined })}
            />
          )}
          {meterOfEngine(settings.engine) === 'ai' && (
            <StrengthField
              strength={settings.strength ?? strengthRange.max}
              onChange={({ strength }) =>
                field.onChange({ strength: strength < strengthRange.max ? strength : undefined })
              }
            />
          )}
          {!isNearest && (
            <GrainField
              grain={settings.grain ?? grainRange.min}
              onChange={({ grain }) => field.onChange({ grain: grain || undefined })}
            />
          )}
          {supportsEdges(settings.engine) && <EdgesField edges={settings.edges ?? 'clamp'} onChange={field.onChange} />}
          <AlphaField alpha={settings.alpha ?? 'transparency'} format={settings.format} onChange={field.onChange} />
          {settings.scaleFactor <= 1 && (
            <NeverLargerField checked={settings.neverLarger ?? true} onChange={field.onChange} />
          )}
        </div>
      )}
      <AdjustedNote stored={stored} settings={settings} />
    </Card>
  );
});

function useRevealList(place: RefObject<HTMLElement | null>, isEmpty: boolean) {
  const wasEmpty = useRef(isEmpty);
  useEffect(() => {
    if (wasEmpty.current && !isEmpty) revealElement(place.current);
    wasEmpty.current = isEmpty;
  }, [place, isEmpty]);
}

/** Links are renewed halfway through their lifetime. */
const renewMs = (limits.downloadLinkMinutes * 60_000) / 2;

function useRenewLinks() {
  useEffect(() => {
    const timer = setInterval(() => void renewLinks(), renewMs);
    return () => clearInterval(timer);
  }, []);
}

function BulkWorkspace({ ownPlan }: { ownPlan: Plan }) {
  const rows = useBulk((state) => state.rows);
  const busy = useBulk(isBusy);
  const settingsOpen = useBulk((state) => state.settingsOpen);
  const cleared = useBulk((state) => state.cleared);
  const stored = useBulkSettings();
  const { data: engines } = useEngines({ isLive: true });
  // Memoized, because other hooks compare settings by identity, and rows change often during a run.
  const settings = useMemo(
    () => resolveConflicts(limitSettings(stored, { ownPlan, engines })),
    [stored, ownPlan, engines],
  );
  useEffect(() => void addCarriedFiles(), []);
  useEffect(() => releasePreviews(new Set(rows.flatMap(({ file }) => file ?? []))), [rows]);
  useFileHeaders(rows);
  useRenewLinks();
  const isEmpty = rows.length === 0;
  const place = useRef<HTMLDivElement>(null);
  useRevealList(place, isEmpty);
  return (
    <div ref={place} className="grid scroll-mt-4 grid-cols-[minmax(0,1fr)] gap-4">
      {cleared && <ClearedNotice {...cleared} />}
      {isEmpty && <EmptyList ownPlan={ownPlan} />}
      <SettingsCard
        stored={stored}
        settings={settings}
        ownPlan={ownPlan}
        open={isEmpty || (settingsOpen && !busy)}
        foldable={!isEmpty && !busy}
      />
      {rows.length > 0 && <ListCard settings={settings} ownPlan={ownPlan} />}
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

function ClearedNotice({ rows }: { rows: readonly Row[] }) {
  const hasResults = rows.some(({ status }) => status === 'completed');
  return (
    <Notice kind="info">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <p className="font-medium">{text.cleared(rows.length)}</p>
          {hasResults && <p className="text-muted">{text.clearedResults}</p>}
        </div>
        <Button look="secondary" size="small" onClick={undoClear}>
          {text.undo}
        </Button>
      </div>
    </Notice>
  );
}

const isAccepted = ({ file, reason }: CarriedFile) => file !== undefined && reason === undefined;

/** Restores the relative path of a file, because storing a file loses it. */
function restorePath({ file = new File([], ''), name, relativePath }: CarriedFile): File {
  const { type, lastModified } = file;
  return Object.assign(new File([file], name, { type, lastModified }), { relativePath });
}

const toRejectedFile = (carried: CarriedFile) => ({
  ...toExtraFile(restorePath(carried)),
  size: carried.size,
  file: undefined,
  reason: carried.reason ?? text.asideLost(1),
});

/** Adds the files that another page handed over. */
async function addCarriedFiles(): Promise<void> {
  const files = await takeCarriedFiles();
  if (files.length === 0) return;
  addFiles({
    accepted: files.filter(isAccepted).map(restorePath),
    refused: files.filter((carried) => !isAccepted(carried)).map(toRejectedFile),
  });
}
