import { formatNames, formatTraits, type OutputFormat, qualityRange } from '@uprez/contracts/policy/image-formats';
import { Slider as Radix } from 'radix-ui';
import { NumberField } from '../controls/number-field.tsx';
import { recipeMessages as text } from './messages.ts';

type QualityFieldProps = {
  value: number;
  onChange: (quality: number) => void;
  format: OutputFormat;
  disabled?: boolean;
};

const { min, max } = qualityRange;

function whyNone(format: OutputFormat): string | undefined {
  if (formatTraits[format].lossy) return undefined;
  return format === 'gif' ? text.noPaletteQuality(formatNames[format]) : text.noQuality(formatNames[format]);
}

/** Chooses the quality with a slider and a number field. Disabled with a reason for formats without quality. */
export function QualityField({ value, onChange, format, disabled = false }: QualityFieldProps) {
  const reason = whyNone(format);
  const isOff = disabled || reason !== undefined;
  return (
    <div className="grid gap-1">
      <span className="font-medium text-sm">{text.quality}</span>
      <div className="flex items-center gap-3">
        <Radix.Root
          min={min}
          max={max}
          value={[value]}
          onValueChange={([next]) => next !== undefined && onChange(next)}
          disabled={isOff}
          className="relative flex h-9 grow touch-none items-center select-none data-disabled:opacity-50"
        >
          <Radix.Track className="relative h-1 grow rounded-full bg-line">
            <Radix.Range className="absolute h-full rounded-full bg-ink" />
          </Radix.Track>
          <Radix.Thumb
            aria-label={text.quality}
            aria-valuetext={text.qualityOf(value)}
            className="block size-6 rounded-full border-[1.5px] border-ink bg-surface"
          />
        </Radix.Root>
        <div className="w-20 shrink-0">
          <NumberField
            label={text.qualityNumber}
            labelHidden
            value={value}
            onChange={(next) => next !== undefined && onChange(next)}
            min={min}
            max={max}
            disabled={isOff}
          />
        </div>
      </div>
      {reason && <p className="text-muted text-xs">{reason}</p>}
    </div>
  );
}
