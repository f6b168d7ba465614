import {
  formatNames,
  formatTraits,
  type OutputFormat,
  outputFormats,
  qualityRange,
} from '@uprez/contracts/policy/image-formats';
import { may } from '@uprez/contracts/policy/may';
import { useId } from 'react';
import { NumberField } from '../controls/number-field.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { Rail } from '../controls/slider.tsx';
import { recipeMessages as text } from './messages.ts';
import { type RecipeFieldProps, smallestPlanFor } from './recipe-settings.ts';

export function FormatField({ settings, onChange, tier }: RecipeFieldProps) {
  const id = useId();
  const options = outputFormats.map((format) => ({
    value: format,
    label: formatNames[format],
    disabled: !may(tier, { what: 'format', format }).ok,
  }));
  const locked = options.filter(({ disabled }) => disabled);
  const opener = locked[0] && smallestPlanFor(tier, { what: 'format', format: locked[0].value });
  return (
    <div className="min-w-0">
      <Segmented
        legend={text.format}
        options={options}
        value={settings.format}
        onChange={(format) => onChange({ format })}
        wraps
        aria-describedby={opener && id}
      />
      {opener && (
        <p id={id} className="mt-1.5 text-muted text-xs">
          {text.formatsLocked(
            locked.map(({ label }) => label),
            opener,
          )}
        </p>
      )}
    </div>
  );
}

function whyNoQuality(format: OutputFormat): string | undefined {
  if (formatTraits[format].lossy) return undefined;
  return format === 'gif' ? text.noPaletteQuality(formatNames[format]) : text.noQuality(formatNames[format]);
}

export function QualityField({ settings: { quality, format }, onChange }: Omit<RecipeFieldProps, 'tier'>) {
  const reason = whyNoQuality(format);
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
