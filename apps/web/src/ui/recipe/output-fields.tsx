import {
  formatNames,
  formatTraits,
  type OutputFormat,
  outputFormats,
  qualityRange,
} from '@uprez/contracts/policy/image-formats';
import { may } from '@uprez/contracts/policy/may';
import { Lock } from 'lucide-react';
import { useId } from 'react';
import { NumberField } from '../controls/number-field.tsx';
import { Rail } from '../controls/slider.tsx';
import { recipeMessages as text } from './messages.ts';
import { type RecipeFieldProps, smallestPlanFor } from './recipe-settings.ts';

export function FormatField({ settings, onChange, tier }: RecipeFieldProps) {
  const name = useId();
  const locked = outputFormats.filter((format) => !may(tier, { what: 'format', format }).ok);
  const opener = locked[0] && smallestPlanFor(tier, { what: 'format', format: locked[0] });
  return (
    <fieldset aria-describedby={opener ? `${name}-locked` : undefined} className="min-w-0">
      <legend className="mb-2 font-medium text-sm">{text.format}</legend>
      <div className="grid grid-cols-3 gap-0.5 rounded-control border border-line bg-sunken p-0.5">
        {outputFormats.map((format) => (
          <label
            key={format}
            className="relative flex min-h-8 items-center justify-center gap-1 rounded-[6px] px-1 text-muted text-sm transition-colors hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:outline has-checked:outline-line has-focus-visible:outline-2 has-focus-visible:outline-focus has-disabled:opacity-60 pointer-coarse:min-h-10"
          >
            <input
              type="radio"
              name={name}
              value={format}
              checked={format === settings.format}
              disabled={locked.includes(format)}
              onChange={() => onChange({ format })}
              className="absolute inset-0 cursor-[inherit] opacity-0"
            />
            {locked.includes(format) && <Lock aria-hidden="true" strokeWidth={1.75} className="size-3" />}
            <span>{formatNames[format]}</span>
          </label>
        ))}
      </div>
      {opener && (
        <p id={`${name}-locked`} className="mt-1.5 text-muted text-xs">
          {text.formatsLocked(
            locked.map((format) => formatNames[format]),
            opener,
          )}
        </p>
      )}
    </fieldset>
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
