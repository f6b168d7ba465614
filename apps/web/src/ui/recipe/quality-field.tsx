import { formatNames, formatTraits, type OutputFormat, qualityRange } from '@uprez/contracts/policy/image-formats';
import { NumberField } from '../controls/number-field.tsx';
import { Rail } from '../controls/slider.tsx';
import { recipeMessages as text } from './messages.ts';

type QualityFieldProps = {
  value: number;
  onChange: (quality: number) => void;
  format: OutputFormat;
  disabled?: boolean;
};

function whyNone(format: OutputFormat): string | undefined {
  if (formatTraits[format].lossy) return undefined;
  return format === 'gif' ? text.noPaletteQuality(formatNames[format]) : text.noQuality(formatNames[format]);
}

/** Chooses the quality with a slider and a number field. Disabled with a reason for formats without quality. */
export function QualityField({ value, onChange, format, disabled = false }: QualityFieldProps) {
  const reason = whyNone(format);
  const { min, max } = qualityRange;
  const range = { min, max, value, disabled: disabled || reason !== undefined };
  return (
    <div className="grid gap-1">
      <span className="font-medium text-sm">{text.quality}</span>
      <div className="flex items-center gap-3">
        <Rail {...range} onChange={onChange} aria-label={text.quality} aria-valuetext={text.qualityOf(value)} />
        <div className="w-20 shrink-0">
          <NumberField
            {...range}
            label={text.qualityNumber}
            labelHidden
            onChange={(next) => next !== undefined && onChange(next)}
          />
        </div>
      </div>
      {reason && <p className="text-muted text-xs">{reason}</p>}
    </div>
  );
}
