import { grainRange, type RequestedFormat, strengthRange } from '@uprez/contracts/policy/images/image-formats';
import { alphaModes, type DetailMode, detailModes, edgeModes } from '@uprez/contracts/recipe/recipe-choices';
import { useId } from 'react';
import { NumberField } from '../controls/number-field.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { Select } from '../controls/select.tsx';
import { Rail } from '../controls/slider.tsx';
import { recipeMessages } from './messages.ts';
import { supportsAlpha } from './recipe-settings.ts';

type ModeFieldProps<M extends string> = {
  text: { label: string; choices: Record<M, { label: string; hint: string }> };
  modes: readonly M[];
  /** A mode that other options rule out. Its hint says what it requires. */
  unavailable?: M | undefined;
  value: M;
  onChange: (mode: M) => void;
};

function ModeField<M extends string>({ text, modes, unavailable, value, onChange }: ModeFieldProps<M>) {
  return (
    <Select
      label={text.label}
      value={value}
      onChange={onChange}
      options={modes.map((mode) => ({
        value: mode,
        label: text.choices[mode].label,
        ...(mode === unavailable && { disabled: true, hint: text.choices[mode].hint }),
      }))}
      hint={text.choices[value].hint}
    />
  );
}

type Edges = (typeof edgeModes)[number];
type EdgesFieldProps = { edges: Edges; onChange: (change: { edges: Edges }) => void };

export const EdgesField = ({ edges, onChange }: EdgesFieldProps) => (
  <ModeField
    text={recipeMessages.edges}
    modes={edgeModes}
    value={edges}
    onChange={(next) => onChange({ edges: next })}
  />
);

type Alpha = (typeof alphaModes)[number];
type AlphaFieldProps = {
  alpha: Alpha;
  /** The requested format. */
  format: RequestedFormat;
  onChange: (change: { alpha: Alpha }) => void;
};

export const AlphaField = ({ alpha, format, onChange }: AlphaFieldProps) => (
  <ModeField
    text={recipeMessages.alpha}
    modes={alphaModes}
    unavailable={supportsAlpha(format, 'data') ? undefined : 'data'}
    value={alpha}
    onChange={(next) => onChange({ alpha: next })}
  />
);

const detailText = recipeMessages.detail;

type DetailFieldProps = { detail: DetailMode; onChange: (change: { detail: DetailMode }) => void };

export function DetailField({ detail, onChange }: DetailFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <Segmented
        legend={detailText.label}
        options={detailModes.map((value) => ({ value, label: detailText[value].label }))}
        value={detail}
        onChange={(next) => onChange({ detail: next })}
        aria-describedby={id}
      />
      <p id={id} className="text-muted text-xs">
        {detailText[detail].hint}
      </p>
    </div>
  );
}

type AmountFieldProps = {
  text: { label: string; number: string; hint: string; value: (amount: number) => string };
  range: { min: number; max: number };
  value: number;
  onChange: (value: number) => void;
};

function AmountField({ text, range: { min, max }, value, onChange }: AmountFieldProps) {
  const id = useId();
  const control = { min, max, value, onChange: (next: number | undefined) => next !== undefined && onChange(next) };
  return (
    <div className="grid gap-1">
      <span className="font-medium text-sm">{text.label}</span>
      <div className="flex items-center gap-3">
        <Rail {...control} aria-label={text.label} aria-valuetext={text.value(value)} aria-describedby={id} />
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

type GrainFieldProps = { grain: number; onChange: (change: { grain: number }) => void };

export const GrainField = ({ grain, onChange }: GrainFieldProps) => (
  <AmountField
    text={recipeMessages.grain}
    range={grainRange}
    value={grain}
    onChange={(next) => onChange({ grain: next })}
  />
);

type StrengthFieldProps = { strength: number; onChange: (change: { strength: number }) => void };

export const StrengthField = ({ strength, onChange }: StrengthFieldProps) => (
  <AmountField
    text={recipeMessages.strength}
    range={strengthRange}
    value={strength}
    onChange={(next) => onChange({ strength: next })}
  />
);
