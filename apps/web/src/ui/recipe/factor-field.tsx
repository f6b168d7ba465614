import { factorRange } from '@uprez/contracts/policy/image-formats';
import { plans } from '@uprez/contracts/policy/plans';
import { outputSize } from '@uprez/imaging/plan/target-size';
import { type ComponentProps, useState } from 'react';
import type { Size } from '../../lib/format/format.ts';
import { linkStyle } from '../controls/button.tsx';
import { NumberField } from '../controls/number-field.tsx';
import { Slider } from '../controls/slider.tsx';
import { recipeMessages as text } from './messages.ts';
import { limitedBy, type RecipeFieldProps, smallestPlanFor } from './recipe-settings.ts';

type FactorFieldProps = RecipeFieldProps & { signedIn: boolean /** Of the image. */; size?: Size | undefined };

export const LinkButton = (props: ComponentProps<'button'>) => (
  <button type="button" className={`${linkStyle} justify-self-start px-0! text-xs`} {...props} />
);

/** Chooses the factor: a slider with locked stops above the plan's limit, or any number on plans that allow more. */
export function FactorField({ settings, onChange, tier, signedIn, size }: FactorFieldProps) {
  const { scaleFactor: value, engine } = settings;
  const max = signedIn ? factorRange.webMax : factorRange.signedOutMax;
  const by = limitedBy(engine);
  const { standard, [by]: limit } = plans[tier].maxFactor;
  const [isOpen, setOpen] = useState(value > max || !Number.isInteger(value));
  const canOpen = signedIn && limit > max;
  const target = size && outputSize(size, value);
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
          min={factorRange.min}
          max={limit}
          step={0.01}
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
            text.lockedStop({ factor, by, opener: smallestPlanFor(tier, { what: 'scale', by, factor }) })
          }
          onChange={change}
        />
      )}
      {limit < max && standard > limit && (
        <LinkButton onClick={() => onChange({ engine: 'standard' })}>
          {text.withoutAi(Math.min(standard, max))}
        </LinkButton>
      )}
      {!signedIn && <p className="text-muted text-xs">{text.moreWhenSignedIn(factorRange.webMax)}</p>}
      {canOpen && <LinkButton onClick={toggle}>{isOpen ? text.simple : text.advanced(limit)}</LinkButton>}
    </div>
  );
}
