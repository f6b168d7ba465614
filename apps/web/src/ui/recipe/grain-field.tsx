import { grainRange } from '@uprez/contracts/policy/image-formats';
import { useId } from 'react';
import { NumberField } from '../controls/number-field.tsx';
import { Rail } from '../controls/slider.tsx';
import { recipeMessages } from './messages.ts';

const text = recipeMessages.grain;

type GrainFieldProps = { grain: number; onChange: (change: { grain: number }) => void };

/** Chooses how much film grain is added to an upscaled image. 0: none. */
export function GrainField({ grain, onChange }: GrainFieldProps) {
  const id = useId();
  const control = {
    min: grainRange.min,
    max: grainRange.max,
    value: grain,
    onChange: (next: number | undefined) => next !== undefined && onChange({ grain: next }),
  };
  return (
    <div className="grid gap-1">
      <span className="font-medium text-sm">{text.label}</span>
      <div className="flex items-center gap-3">
        <Rail {...control} aria-label={text.label} aria-valuetext={text.value(grain)} aria-describedby={id} />
        <div className="w-20 shrink-0">
          <NumberField {...control} label={text.number} labelHidden />
        </div>
      </div>
      <p id={id} className="text-muted text-xs">
        {text.hint}
      </p>
    </div>
  );
}
