import {
  defaultFormat,
  formatNames,
  formatTraits,
  type OutputFormat,
  outputFormats,
} from '@uprez/contracts/policy/images/image-formats';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { retention } from '@uprez/contracts/policy/plans/plans';
import { metadataChoices } from '@uprez/contracts/recipe/recipe-choices';
import type { Estimate } from '@uprez/contracts/schemas/jobs/estimate';
import type { User } from '@uprez/contracts/schemas/user';
import { formatApproximateBytes } from '@uprez/contracts/texts/format';
import { isInputLimit } from '@uprez/imaging/pipeline/check-pipeline';
import { ChevronRight } from 'lucide-react';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import { useDashboard, useEngines } from '../../../lib/api/queries.ts';
import { formatSize, formatTotalEstimate, type Size } from '../../../lib/format/format.ts';
import { focusInvalidField } from '../../../lib/forms/focus-invalid-field.ts';
import { useFocusOnMount } from '../../../lib/layout/focus.ts';
import { dismissToasts } from '../../../lib/notifications/toast-store.ts';
import { planOfUser } from '../../../lib/session/plan-of-user.ts';
import { redirectToSignIn } from '../../../lib/session/redirect-to-sign-in.ts';
import { findOwner } from '../../../lib/session/session-lifecycle.ts';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { paths } from '../../../site-map.ts';
import { Button, linkStyle } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { LiveNotices } from '../../../ui/feedback/live-notices.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ReceiptLine } from '../../../ui/receipt/receipt-line.tsx';
import { AlphaField, DetailField, EdgesField, GrainField, StrengthField } from '../../../ui/recipe/look-fields.tsx';
import { AdjustedNote, EngineField, NeverLargerField } from '../../../ui/recipe/recipe-fields.tsx';
import { meterOfEngine, supportsEdges } from '../../../ui/recipe/recipe-settings.ts';
import { processorMessages, processorMessages as text } from '../messages.ts';
import { processImage } from '../run/process-image.ts';
import { usePendingRun } from '../run/use-pending-run.ts';
import type { SourceImage } from '../state/image.ts';
import { useProcessor } from '../state/processor-store.ts';
import { savePendingRun } from '../state/run-storage.ts';
import {
  fitSettings,
  formatFor,
  hasChangedSettings,
  minRetentionHours,
  recipeOf,
  resetSettings,
  type Settings,
  supportsCrispFor,
  useSettings,
} from '../state/settings-store.ts';
import { useTransparency } from '../state/use-transparency.ts';
import { EnhanceOffer } from './enhance-offer.tsx';
import { PlanLimitNotice, QuotaExceeded, useExceededQuota } from './limit-notices.tsx';
import { OutputFields } from './output-fields.tsx';
import { SizeField } from './size-field.tsx';
import { useEstimate } from './use-estimate.ts';

const setSettings = useSettings.setState;

export function SettingsForm({ image, user }: { image: SourceImage; user: User | null }) {
  const [estimateId, limitId] = [useId(), useId()];
  const fields = useRef<HTMLDivElement>(null);
  const { note, failure, isRefused = false } = useProcessor();
  const ownPlan = planOfUser(user);
  const stored = useSettings();
  const { data: engines } = useEngines();
  const settings = fitSettings(stored, { ownPlan, signedIn: user !== null, engines });
  const field = { settings, ownPlan, onChange: setSettings };
  const recipe = recipeOf(settings, image);
  const { size } = image;
  const format = formatFor(settings, image);
  const estimate = useEstimate(image, recipe && { ...recipe, ...(format && { format }) }, ownPlan);
  const limit = estimate?.limit;
  const exceeded = useExceededQuota(estimate, user);
  const isLimited = limit !== undefined || exceeded !== undefined;
  const isBlocked = isLimited || isRefused || !recipe;
  const start = () => {
    if (focusInvalidField(fields.current)) return;
    dismissToasts();
    if (user) void processImage(settings);
    else redirectToSignUp(settings);
  };
  useShortcut('process', start, !isBlocked);
  usePendingRun({ user, isBlocked, start: () => void processImage(settings) });
  return (
    <>
      <div ref={fields} className="contents">
        <SizeField settings={settings} ownPlan={ownPlan} signedIn={user !== null} size={size} />
        <div className="grid gap-2">
          <EngineField {...field} settings={settings.target ? { ...settings, scaleFactor: undefined } : settings} />
          {supportsCrispFor(settings, image) && <DetailField detail={settings.detail} onChange={setSettings} />}
          <CompareEngines image={image} settings={settings} ownPlan={ownPlan} />
        </div>
        <OutputFields settings={settings} image={image} ownPlan={ownPlan} format={format} />
      </div>
      <MoreSettings settings={settings} image={image} />
      <AdjustedNote stored={stored} settings={settings} hasFactor={!stored.target} />
      <div
        data-action-bar
        className="sticky bottom-0 -mx-4 grid gap-3 -mb-4 rounded-b-card border-line border-t bg-surface p-4 lg:-bottom-5 lg:-mx-5 lg:-mb-5 lg:px-5"
      >
        {failure && <RunMessage key={failure} kind="danger" text={failure} />}
        {note && <RunMessage key={note} kind="info" text={note} />}
        <div id={estimateId} className="empty:hidden">
          <Summary {...{ image, estimate, user }} isComplete={recipe !== undefined} isRefused={isRefused} />
          {!user && (
            <p className="mt-1 text-muted text-sm">
              {findOwner() === undefined ? text.needsAccount : text.needsSignIn}
            </p>
          )}
        </div>
        <EnhanceOffer image={image} settings={settings} ownPlan={ownPlan} />
        <LossWarnings image={image} format={format} ownPlan={ownPlan} />
        {estimate?.pausedEngine && <Notice kind="info">{text.paused(estimate.pausedEngine)}</Notice>}
        {isLimited && (
          <div id={limitId}>
            {limit && <PlanLimitNotice limit={limit} image={image} settings={settings} ownPlan={ownPlan} />}
            {exceeded && !limit && <QuotaExceeded {...exceeded} />}
          </div>
        )}
        <Button
          size="wide"
          aria-describedby={isLimited ? `${estimateId} ${limitId}` : estimateId}
          disabled={isBlocked}
          onClick={start}
        >
          {text.process}
        </Button>
        {/* A full load, because the document of that page is isolated. */}
        {mayProcessOnDevice(image, settings, limit) && (
          <a href={paths.local} className={linkStyle}>
            {text.onDevice}
          </a>
        )}
      </div>
    </>
  );
}

const retentionHours = [minRetentionHours, 3, 6, 12, retention.resultMinutes / 60];

/** Includes the chosen hours, because jobs of the API may have others. */
const listRetentionHours = (chosen: number) => [...new Set([...retentionHours, chosen])].toSorted((a, b) => a - b);

function MoreSettings({ settings, image }: { settings: Settings; image: SourceImage }) {
  const { metadata, gps, keepDpi } = settings;
  const isNearest = settings.engine === 'nearest';
  return (
    <details className="group border-line border-t pt-3">
      <summary className="flex min-h-6 cursor-pointer list-none items-center gap-1.5 rounded-control text-sm [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          strokeWidth={1.75}
          className="size-4 text-muted transition-transform group-open:rotate-90"
        />
        {text.more}
      </summary>
      <div className="mt-3 grid gap-4">
        {meterOfEngine(settings.engine) === 'ai' && (
          <StrengthField strength={settings.strength} onChange={setSettings} />
        )}
        {!isNearest && <GrainField grain={settings.grain} onChange={setSettings} />}
        {supportsEdges(settings.engine) && <EdgesField edges={settings.edges} onChange={setSettings} />}
        {image.traits?.hasAlpha !== false && (
          <AlphaField alpha={settings.alpha} format={settings.format} onChange={setSettings} />
        )}
        <Select
          label={text.retention}
          value={String(settings.retention)}
          onChange={(next) => setSettings({ retention: Number(next) })}
          options={listRetentionHours(settings.retention).map((value) => ({
            value: String(value),
            label: text.hours(value),
          }))}
        />
        <Select
          label={text.metadata}
          value={metadata}
          onChange={(next) => setSettings({ metadata: next, gps: gps && next === 'all' })}
          options={metadataChoices.map((value) => ({ value, ...text.metadataChoices[value] }))}
          hint={gps ? text.metadataWithLocation : text.metadataChoices[metadata].hint}
        />
        {metadata === 'all' && (
          <Checkbox label={text.gps} checked={gps} onChange={(next) => setSettings({ gps: next })} />
        )}
        <NeverLargerField checked={settings.neverLarger} onChange={setSettings} />
        {metadata !== 'none' && settings.target?.by !== 'print' && (
          <Checkbox label={text.keepDpi} checked={keepDpi} onChange={(next) => setSettings({ keepDpi: next })} />
        )}
        {hasChangedSettings(useSettings()) && (
          <button type="button" className={`${linkStyle} justify-self-start px-0!`} onClick={resetSettings}>
            {text.reset}
          </button>
        )}
      </div>
    </details>
  );
}

function EstimateSummary({ size, estimate, user }: { size: Size; estimate: Estimate; user: User | null }) {
  const { data } = useDashboard({ enabled: user !== null });
  const { bytes, seconds, minSeconds, waitSeconds, units, meter } = estimate;
  const left = data?.quota.find((quota) => quota.meter === meter)?.left;
  const facts = [
    `${formatSize(size)} -> ${formatSize(estimate)}`,
    ...(bytes === null ? [] : [formatApproximateBytes(bytes)]),
    ...(seconds === null ? [] : [formatTotalEstimate({ seconds, minSeconds, waitSeconds })]),
    left === undefined || left < units ? text.costs(units, meter) : text.costsOf(units, meter, left),
  ];
  return (
    <p className="text-sm tabular-nums">
      <ReceiptLine text={facts.join(' · ')} />
    </p>
  );
}

type SummaryProps = {
  image: SourceImage;
  estimate: Estimate | undefined;
  user: User | null;
  /** Whether all fields of the size are filled in. */
  isComplete: boolean;
  isRefused: boolean;
};

/** Renders nothing if a limit blocks the job or the image can't be opened. */
function Summary({ image: { size, damagedFormat }, estimate, user, ...state }: SummaryProps) {
  if (estimate?.limit || damagedFormat || state.isRefused) return null;
  if (size && estimate) return <EstimateSummary size={size} estimate={estimate} user={user} />;
  return <p className="text-muted text-sm">{state.isComplete ? text.sizeUnknown : text.incomplete}</p>;
}

/**
 * Whether local processing may work for the image. It can't process pixel art, textures, and images that the browser
 * can't decode. Its input limits are the same as the server's.
 */
function mayProcessOnDevice(image: SourceImage, settings: Settings, limit: Estimate['limit']): boolean {
  const { size, hiddenFormat, traits } = image;
  const { engine, edges, alpha } = settings;
  const isTexture = engine === 'nearest' || edges === 'wrap' || (alpha === 'data' && traits?.hasAlpha !== false);
  return size !== undefined && !hiddenFormat && !isTexture && !(limit && isInputLimit(limit.code));
}

function RunMessage({ kind, text }: { kind: 'info' | 'danger'; text: string }) {
  const place = useFocusOnMount<HTMLDivElement>();
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      <Notice kind={kind}>{text}</Notice>
    </div>
  );
}

/** After the visitor signs up, the run starts with these settings. */
function redirectToSignUp(settings: Settings) {
  setSettings(settings);
  savePendingRun();
  redirectToSignIn({ tab: 'sign-up' });
}

const PatchDialog = lazy(async () => ({ default: (await import('../preview/patch-dialog.tsx')).PatchDialog }));

type CompareEnginesProps = { image: SourceImage; settings: Settings; ownPlan: Plan };

/** Only for files that the browser can decode. */
function CompareEngines({ image: { source, url, size, hiddenFormat }, settings, ownPlan }: CompareEnginesProps) {
  const [open, setOpen] = useState(false);
  if (!size || hiddenFormat) return null;
  return (
    <>
      <Button look="secondary" size="small" className="justify-self-start" onClick={() => setOpen(true)}>
        {processorMessages.compare.open}
      </Button>
      {open && (
        <Suspense>
          <PatchDialog {...{ file: source, url, size, settings, ownPlan }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

const applyOutputFormat = (format: OutputFormat) => useSettings.setState({ format });

type LossWarningsProps = { image: SourceImage; format: OutputFormat | undefined; ownPlan: Plan };

function LossWarnings({ image, format, ownPlan }: LossWarningsProps) {
  const losesTransparency = useTransparency(image, format);
  const { frames } = image;
  const losesFrames = frames !== undefined && format !== undefined && !formatTraits[format].animated;
  const moving = outputFormats.filter(
    (name) => formatTraits[name].animated && checkPlanLimits(ownPlan, { what: 'format', format: name }).ok,
  );
  return (
    <LiveNotices>
      {losesFrames && (
        <Notice kind="warning">
          <p>{text.firstFrame(formatNames[format], frames)}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            {moving.map((name) => (
              <Button key={name} look="secondary" size="small" onClick={() => applyOutputFormat(name)}>
                {text.keepFrames(formatNames[name])}
              </Button>
            ))}
          </div>
        </Notice>
      )}
      {format && losesTransparency && !losesFrames && (
        <Notice kind="warning">
          <p>{text.background.lost(formatNames[format])}</p>
          <Button look="secondary" size="small" className="mt-2" onClick={() => applyOutputFormat(defaultFormat)}>
            {text.background.keep(formatNames[defaultFormat])}
          </Button>
        </Notice>
      )}
    </LiveNotices>
  );
}
