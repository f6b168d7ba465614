import { factorRange } from '@uprez/contracts/policy/image-formats';
import type { JobMeter } from '@uprez/contracts/policy/meters';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import { outputSize } from '@uprez/imaging/plan/target-size';
import { type ComponentProps, useState } from 'react';
import type { Size } from '../../lib/format/format.ts';
import { linkStyle } from '../controls/button.tsx';
import { NumberField } from '../controls/number-field.tsx';
import { Slider } from '../controls/slider.tsx';
import { recipeMessages as text } from './messages.ts';
import { smallestPlanFor } from './smallest-plan-for.ts';

type FactorFieldProps = {
  value: number;
  onChange: (factor: number) => void;
  max: number;
  tier: Tier;
  signedIn: boolean;
  size?: Size | undefined;
  by?: JobMeter;
  /** Switches to the standard engine, if it allows a larger factor. */
  onStandard?: () => void;
  disabled?: boolean;
};

const LinkButton = (props: ComponentProps<'button'>) => (
  <button type="button" className={`${linkStyle} justify-self-start px-0! text-xs`} {...props} />
);

/** Chooses the factor: a slider with locked stops above the plan's limit, or any number on plans that allow more. */
export function FactorField({ value, onChange, max, size, disabled = false, ...rest }: FactorFieldProps) {
  const { tier, signedIn, by = 'ai', onStandard } = rest;
  const { standard, [by]: limit } = plans[tier].maxFactor;
  const [isOpen, setOpen] = useState(value > max || !Number.isInteger(value));
  const canOpen = signedIn && limit > max;
  const target = size && outputSize(size, value);
  const toggle = () => {
    setOpen(!isOpen);
    if (isOpen) onChange(Math.min(max, Math.max(1, Math.round(value))));
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
          onChange={(next) => next !== undefined && onChange(next)}
          min={factorRange.min}
          max={limit}
          step={0.01}
          suffix={text.times}
          disabled={disabled}
        />
      ) : (
        <Slider
          label={text.scaleFactor}
          value={Math.min(value, max)}
          valueText={target ? text.factorTo(value, target) : text.factor(value)}
          min={1}
          max={max}
          lockedFrom={limit < max ? limit + 1 : undefined}
          lockedText={(stop) =>
            text.lockedStop({ factor: stop, by, opener: smallestPlanFor(tier, { what: 'scale', by, factor: stop }) })
          }
          onChange={onChange}
          disabled={disabled}
        />
      )}
      {onStandard && limit < max && standard > limit && (
        <LinkButton disabled={disabled} onClick={onStandard}>
          {text.withoutAi(Math.min(standard, max))}
        </LinkButton>
      )}
      {!signedIn && <p className="text-muted text-xs">{text.moreWhenSignedIn(factorRange.webMax)}</p>}
      {canOpen && (
        <LinkButton disabled={disabled} onClick={toggle}>
          {isOpen ? text.simple : text.advanced(limit)}
        </LinkButton>
      )}
    </div>
  );
}
