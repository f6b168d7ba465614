import {
  factorRange,
  formatNames,
  formatTraits,
  type OutputFormat,
  outputFormats,
} from '@uprez/contracts/policy/image-formats';
import { may } from '@uprez/contracts/policy/may';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { Estimate } from '@uprez/contracts/schemas/estimate';
import type { User } from '@uprez/contracts/schemas/user';
import { formatBytes } from '@uprez/contracts/texts/format';
import { useId } from 'react';
import { useDashboard } from '../../../lib/api/queries.ts';
import { formatEstimate, formatSize, type Size } from '../../../lib/format/format.ts';
import { useFocusOnMount } from '../../../lib/layout/use-focus-on-mount.ts';
import { redirectToSignIn } from '../../../lib/session/redirect-to-sign-in.ts';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ReceiptLine } from '../../../ui/receipt/receipt-line.tsx';
import { EngineField } from '../../../ui/recipe/engine-field.tsx';
import { FormatField } from '../../../ui/recipe/format-field.tsx';
import { QualityField } from '../../../ui/recipe/quality-field.tsx';
import { processorMessages as text } from '../messages.ts';
import { CompareEngines } from '../preview/compare-engines.tsx';
import { processImage } from '../run/process-image.ts';
import type { SourceImage } from '../state/image.ts';
import { useProcessor } from '../state/processor-store.ts';
import { fitSettings, recipeOf } from '../state/recipe-of.ts';
import { useSettings } from '../state/settings-store.ts';
import { PlanLimitNotice, QuotaExceeded, useExceededQuota } from './limit-notices.tsx';
import { MoreSettings } from './more-settings.tsx';
import { SizeField } from './size-field.tsx';
import { useEstimate } from './use-estimate.ts';

/** Expected size, bytes, time, and cost. */
function EstimateSummary({ size, estimate, user }: { size: Size; estimate: Estimate; user: User | null }) {
  const { data } = useDashboard({ enabled: user !== null });
  const { bytes, seconds, units, meter } = estimate;
  const left = data?.quota.find((quota) => quota.meter === meter)?.left;
  const facts = [
    `${formatSize(size)} -> ${formatSize(estimate)}`,
    ...(bytes === null ? [] : [text.aboutBytes(formatBytes(bytes))]),
    ...(seconds === null ? [] : [formatEstimate(seconds)]),
    left === undefined || left < units ? text.costs(units, meter) : text.costsOf(units, meter, left),
  ];
  return (
    <p className="text-sm tabular-nums">
      <ReceiptLine text={facts.join(' · ')} />
    </p>
  );
}

/** Shown when a format keeps only the first frame of an animation, with the formats that keep all frames. */
function AnimationNote({ frames, format, tier }: { frames: number | undefined; format: OutputFormat; tier: Tier }) {
  if (!frames || formatTraits[format].animated) return null;
  const whole = outputFormats
    .filter((name) => formatTraits[name].animated && may(tier, { what: 'format', format: name }).ok)
    .map((name) => formatNames[name]);
  return <p className="-mt-3.5 text-warning text-xs">{text.firstFrame(formatNames[format], frames, whole)}</p>;
}

/** How the last run ended without a result. Takes the focus. */
function RunMessage({ kind, text }: { kind: 'danger' | 'info'; text: string }) {
  const place = useFocusOnMount<HTMLDivElement>();
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      <Notice kind={kind}>{text}</Notice>
    </div>
  );
}

const set = useSettings.setState;

export function SettingsForm({ image, user }: { image: SourceImage; user: User | null }) {
  const [estimateId, limitId] = [useId(), useId()];
  const { failure, note } = useProcessor();
  const tier = user?.subscriptionTier ?? 'free';
  const settings = fitSettings(useSettings(), { tier, signedIn: user !== null });
  const recipe = recipeOf(settings);
  const estimate = useEstimate(image, recipe, tier);
  const { size } = image;
  const limit = estimate?.limit;
  const exceeded = useExceededQuota(estimate, user);
  const isLimited = limit !== undefined || exceeded !== undefined;
  const isBlocked = isLimited || !recipe;
  const start = () => (user ? void processImage(settings) : redirectToSignIn());
  useShortcut('process', start, !isBlocked);
  return (
    <>
      <SizeField settings={settings} tier={tier} signedIn={user !== null} size={size} />
      <div className="grid gap-2">
        <EngineField
          value={settings.engine}
          onChange={(engine) => set({ engine })}
          tier={tier}
          factor={settings.target ? factorRange.min : settings.scaleFactor}
        />
        <CompareEngines image={image} settings={settings} tier={tier} />
      </div>
      <FormatField value={settings.format} onChange={(format) => set({ format })} tier={tier} />
      <AnimationNote frames={image.frames} format={settings.format} tier={tier} />
      <QualityField value={settings.quality} onChange={(quality) => set({ quality })} format={settings.format} />
      <MoreSettings settings={settings} />
      <div
        data-action-bar
        className="sticky bottom-0 -mx-4 grid gap-3 -mb-4 rounded-b-card border-line border-t bg-surface p-4 lg:-bottom-5 lg:-mx-5 lg:-mb-5 lg:px-5"
      >
        {failure && <RunMessage key={failure} kind="danger" text={failure} />}
        {note && <RunMessage key={note} kind="info" text={note} />}
        <div id={estimateId}>
          {size && estimate ? (
            <EstimateSummary size={size} estimate={estimate} user={user} />
          ) : (
            <p className="text-muted text-sm">{recipe ? text.sizeUnknown : text.incomplete}</p>
          )}
        </div>
        {isLimited && (
          <div id={limitId}>
            {limit && (
              <PlanLimitNotice
                limit={limit}
                tier={tier}
                onFactor={settings.target ? undefined : (scaleFactor) => set({ scaleFactor })}
              />
            )}
            {exceeded && !limit && <QuotaExceeded exceeded={exceeded} onStandard={() => set({ engine: 'standard' })} />}
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
      </div>
    </>
  );
}
