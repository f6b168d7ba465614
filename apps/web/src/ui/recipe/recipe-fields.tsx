import {
  drawingEngineByPhotoEngine,
  engineDescriptions,
  engineNames,
  isCustomEngine,
  type JobEngine,
  type RequestedEngine,
} from '@uprez/contracts/policy/images/engines';
import {
  factorRange,
  formatNames,
  formatTraits,
  type OutputFormat,
  outputFormats,
  qualityRange,
  type RequestedFormat,
  requestedFormats,
} from '@uprez/contracts/policy/images/image-formats';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { scaleSize } from '@uprez/imaging/pipeline/compute-target-size';
import { type ComponentProps, useId, useState } from 'react';
import { Link } from 'react-router';
import { useEngines } from '../../lib/api/queries.ts';
import type { Size } from '../../lib/format/format.ts';
import { paths } from '../../site-map.ts';
import { linkStyle } from '../controls/button.tsx';
import { Checkbox } from '../controls/checkbox.tsx';
import { NumberField } from '../controls/number-field.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { Select } from '../controls/select.tsx';
import { Rail, Slider } from '../controls/slider.tsx';
import { recipeMessages, recipeMessages as text } from './messages.ts';
import {
  findUpgrade,
  findUpgradeName,
  isEngineAvailable,
  isLossless,
  meterOfEngine,
  type RecipeFieldProps,
  type RecipeSettings,
  supportsAlpha,
  supportsFactor,
} from './recipe-settings.ts';

type FactorFieldProps = RecipeFieldProps & { signedIn: boolean; size?: Size | undefined };

export const LinkButton = (props: ComponentProps<'button'>) => (
  <button type="button" className={`${linkStyle} justify-self-start px-0! text-xs`} {...props} />
);

const PlansLink = () => (
  <Link to={paths.pricing} className="whitespace-nowrap underline underline-offset-4 hover:text-ink">
    {text.seePlans}
  </Link>
);

function AccountOffer() {
  const best = factorRange.webMax;
  const { ai, standard } = currentPlans.free.maxFactor;
  const opener = findUpgrade(currentPlans.free, { what: 'scale', by: 'ai', factor: best });
  return (
    <p className="text-muted text-xs">
      {text.withAccount({ ai, standard: Math.min(standard, best), best, opener })} <PlansLink />
    </p>
  );
}

/**
 * A control for the scale factor: a slider with locked stops above the plan's limit. If the plan allows more than the
 * slider offers, the user can switch to a number field.
 */
export function FactorField({ settings, onChange, ownPlan, signedIn, size }: FactorFieldProps) {
  const { scaleFactor: value, engine } = settings;
  const max = signedIn ? factorRange.webMax : factorRange.signedOutMax;
  const by = meterOfEngine(engine);
  const { standard, [by]: limit } = ownPlan.maxFactor;
  const [isOpen, setOpen] = useState(value > max || !Number.isInteger(value));
  const canOpen = signedIn && limit > max;
  const isWhole = !supportsFactor(engine, factorRange.min);
  const target = size && scaleSize(size, value);
  const change = (factor: number | undefined) => factor !== undefined && onChange({ scaleFactor: factor });
  const toggle = () => {
    setOpen(!isOpen);
    if (isOpen) change(Math.min(max, Math.max(1, Math.round(value))));
  };
  return (
    <div className="grid gap-1">
      <div className="flex items-baseline justify-between gap-2">
        <span className="font-medium text-sm">{text.scaleFactor}</span>
        <output className="text-right tabular-nums">
          <span className="font-medium text-lg">{text.factor(value)}</span>
          {target && <span className="ml-2 whitespace-nowrap text-muted text-sm">{text.to(target)}</span>}
        </output>
      </div>
      {canOpen && isOpen ? (
        <NumberField
          label={text.advancedFactor}
          value={value}
          onChange={change}
          min={isWhole ? 1 : factorRange.min}
          max={limit}
          step={isWhole ? 1 : 0.01}
          suffix={text.times}
        />
      ) : (
        <Slider
          label={text.scaleFactor}
          value={Math.min(value, max)}
          valueText={target ? text.factorTo(value, target) : text.factor(value)}
          min={1}
          max={max}
          lockedFrom={limit < max ? limit + 1 : undefined}
          lockedText={(factor) =>
            text.lockedStop({ factor, by, most: max, opener: findUpgrade(ownPlan, { what: 'scale', by, factor }) })
          }
          lockedAction={<PlansLink />}
          onChange={change}
        />
      )}
      {limit < max && standard > limit && (
        <LinkButton onClick={() => onChange({ engine: 'standard' })}>
          {text.withoutAi(Math.min(standard, max))}
        </LinkButton>
      )}
      {!signedIn && <AccountOffer />}
      {canOpen && <LinkButton onClick={toggle}>{isOpen ? text.simple : text.advanced(limit)}</LinkButton>}
    </div>
  );
}

/** Returns why an engine isn't available at a scale factor. */
function describeEngineLock(name: JobEngine, ownPlan: Plan, factor: number | undefined): string | undefined {
  if (factor === undefined) return undefined;
  if (!supportsFactor(name, factor)) return text.needsWholeFactor;
  const by = meterOfEngine(name);
  const request = { what: 'scale', by, factor } as const;
  if (checkPlanLimits(ownPlan, request).ok) return undefined;
  return text.engineLocked(ownPlan.maxFactor[by], findUpgradeName(ownPlan, request));
}

type EngineFieldProps = Pick<RecipeFieldProps, 'onChange' | 'ownPlan'> & {
  /** `scaleFactor`: undefined if the size is set in another way. */
  settings: { engine: RequestedEngine; scaleFactor: number | undefined };
};

export function EngineField({ settings: { engine: value, scaleFactor }, onChange, ownPlan }: EngineFieldProps) {
  const { data: engines } = useEngines();
  const autoEngine = engines?.find(({ isAuto }) => isAuto)?.name;
  const describe = (name: JobEngine) => {
    const known = engines?.find((engine) => engine.name === name);
    const reason = known?.installing ? text.installing : describeEngineLock(name, ownPlan, scaleFactor);
    const speed = known?.pixelsPerSecond ? ` ${text.speed(known.pixelsPerSecond)}` : '';
    return {
      value: name,
      label: known?.custom?.title ?? name,
      hint:
        reason ??
        (known?.paused ? text.paused : (isCustomEngine(name) ? known?.says : engineDescriptions[name]) + speed),
      disabled: reason !== undefined,
    };
  };
  const autoReason = describeEngineLock(autoEngine ?? 'photo-fast', ownPlan, scaleFactor);
  const drawings = engines?.find(
    ({ name }) => autoEngine && name === drawingEngineByPhotoEngine[autoEngine] && isEngineAvailable(name, engines),
  );
  const autoHint = autoReason ?? text.autoSays(autoEngine, drawings?.name);
  const auto = { label: text.auto, hint: autoHint, disabled: autoReason !== undefined };
  const custom = engines?.flatMap(({ name, custom }) => (custom ? [name] : [])) ?? [];
  const listed = [...engineNames, ...custom].filter(
    (name) => isEngineAvailable(name, engines) || engines?.some((engine) => engine.name === name && engine.installing),
  );
  const options = [{ value: 'auto' as const, ...auto }, ...listed.map(describe)];
  const hint = options.find((option) => option.value === value)?.hint;
  return (
    <Select
      label={text.engine}
      value={value}
      onChange={(engine) => onChange({ engine })}
      options={options}
      hint={hint}
    />
  );
}

type FormatFieldProps = {
  /** `alpha`: absent if the image has no alpha channel. */
  settings: Pick<RecipeSettings, 'format' | 'engine' | 'alpha'>;
  onChange: (change: { format: RequestedFormat }) => void;
  ownPlan: Plan;
  /** The format that Auto uses; undefined if it is unknown or differs between images. */
  autoFormat?: OutputFormat | undefined;
};

export function FormatField({ settings, onChange, ownPlan, autoFormat }: FormatFieldProps) {
  const { format: value, engine, alpha } = settings;
  const id = useId();
  const locked = outputFormats.filter((format) => !checkPlanLimits(ownPlan, { what: 'format', format }).ok);
  const options = requestedFormats.map((format) => ({
    value: format,
    label: text.formatName(format),
    disabled: !supportsAlpha(format, alpha),
    locked: format !== 'auto' && locked.includes(format),
    wide: format === 'auto',
  }));
  const hint = value === 'auto' && text.autoUses(autoFormat && formatNames[autoFormat], engine);
  const opener = locked[0] && findUpgradeName(ownPlan, { what: 'format', format: locked[0] });
  return (
    <div className="min-w-0">
      <Segmented
        legend={text.format}
        options={options}
        value={value}
        onChange={(format) => onChange({ format })}
        wraps
        aria-describedby={opener || hint || alpha === 'data' ? id : undefined}
      />
      <div id={id} className="mt-1.5 grid gap-1 text-muted text-xs empty:hidden">
        {hint && <p>{hint}</p>}
        {alpha === 'data' && <p>{text.alpha.formats}</p>}
        {opener && (
          <p>
            {text.formatsLocked(
              locked.map((format) => formatNames[format]),
              opener,
            )}
          </p>
        )}
      </div>
    </div>
  );
}

function describeMissingQuality(settings: LosslessSettings, format: OutputFormat | undefined): string | undefined {
  if (!isLossless(settings, format)) return undefined;
  if (!format || formatTraits[format].lossy) return text.noLosslessQuality;
  return format === 'gif' ? text.noPaletteQuality(formatNames[format]) : text.noQuality(formatNames[format]);
}

type LosslessSettings = Pick<RecipeSettings, 'engine' | 'alpha'>;

type QualityFieldProps = {
  quality: number;
  /** `alpha`: absent if the image has no alpha channel, or may have none. */
  settings: LosslessSettings;
  /** The format of the result; undefined if it is not known yet. */
  format: OutputFormat | undefined;
  onChange: (change: { quality: number }) => void;
};

export function QualityField({ quality, settings, format, onChange }: QualityFieldProps) {
  const reason = describeMissingQuality(settings, format);
  const control = {
    min: qualityRange.min,
    max: qualityRange.max,
    value: quality,
    disabled: reason !== undefined,
    onChange: (next: number | undefined) => next !== undefined && onChange({ quality: next }),
  };
  return (
    <div className="grid gap-1">
      <span className="font-medium text-sm">{text.quality}</span>
      <div className="flex items-center gap-3">
        <Rail {...control} aria-label={text.quality} aria-valuetext={text.qualityOf(quality)} />
        <div className="w-20 shrink-0">
          <NumberField {...control} label={text.qualityNumber} labelHidden />
        </div>
      </div>
      {reason && <p className="text-muted text-xs">{reason}</p>}
    </div>
  );
}

type AdjustedNoteProps = {
  /**
   * `stored`: the settings as saved. `settings`: the saved settings, limited to what the plan and the engines currently
   * allow.
   */
  stored: RecipeSettings;
  settings: RecipeSettings;
  /** Whether the scale factor sets the size. */
  hasFactor?: boolean;
};

/** Shows which saved settings aren't available to this user now. */
export function AdjustedNote({ stored, settings, hasFactor = true }: AdjustedNoteProps) {
  const { engine, format, scaleFactor } = settings;
  const adjusted = supportsAlpha(stored.format, settings.alpha) ? text.formatAdjusted : text.formatConflict;
  const changes = [
    ...(engine === stored.engine ? [] : [text.engineAdjusted(stored.engine)]),
    ...(format === stored.format ? [] : [adjusted(text.formatName(stored.format), text.formatName(format))]),
    ...(scaleFactor === stored.scaleFactor || !hasFactor ? [] : [text.factorAdjusted(stored.scaleFactor, scaleFactor)]),
  ];
  if (changes.length === 0) return null;
  return <p className="text-muted text-xs">{changes.join(' ')}</p>;
}

const neverLargerText = recipeMessages.neverLarger;

type NeverLargerFieldProps = { checked: boolean; onChange: (change: { neverLarger: boolean }) => void };

export function NeverLargerField({ checked, onChange }: NeverLargerFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <Checkbox
        label={neverLargerText.label}
        describedBy={id}
        checked={checked}
        onChange={(next) => onChange({ neverLarger: next })}
      />
      <p id={id} className="text-muted text-xs">
        {neverLargerText.hint}
      </p>
    </div>
  );
}
