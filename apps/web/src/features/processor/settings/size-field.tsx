import { limits } from '@uprez/contracts/policy/limits';
import type { Tier } from '@uprez/contracts/policy/plans';
import { fits } from '@uprez/contracts/recipe/recipe-choices';
import type { Size } from '../../../lib/format/format.ts';
import { NumberField } from '../../../ui/controls/number-field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { FactorField, LinkButton } from '../../../ui/recipe/recipe-fields.tsx';
import { processorMessages } from '../messages.ts';
import {
  emptyTarget,
  type Settings,
  type TargetSize,
  type TargetWay,
  targetWays,
  useSettings,
} from '../state/settings-store.ts';

const text = processorMessages.target;
const set = useSettings.setState;
const side = { min: 1, max: limits.outputSide, suffix: text.pixels };

type TargetFieldsProps = { value: TargetSize; onChange: (target: TargetSize) => void };

function BoxFields({ value, onChange }: TargetFieldsProps & { value: Extract<TargetSize, { by: 'box' }> }) {
  const { width, height, fit } = value;
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        {(['width', 'height'] as const).map((name) => (
          <NumberField
            {...side}
            key={name}
            label={text[name]}
            value={value[name]}
            onChange={(next) => onChange({ ...value, [name]: next })}
          />
        ))}
      </div>
      <Select
        label={text.fit}
        value={fit}
        onChange={(next) => onChange({ ...value, fit: next })}
        options={fits.map((name) => ({
          value: name,
          label: text.fits[name],
          disabled: name === 'cover' && !(width && height),
        }))}
      />
    </>
  );
}

function TargetFields({ value, onChange }: TargetFieldsProps) {
  return (
    <div className="grid gap-3">
      <Select<TargetWay>
        label={text.by}
        value={value.by}
        onChange={(by) => onChange(emptyTarget(by))}
        options={targetWays.map((by) => ({ value: by, label: text.ways[by] }))}
      />
      {value.by === 'box' ? (
        <BoxFields value={value} onChange={onChange} />
      ) : value.by === 'megapixels' ? (
        <NumberField
          label={text.ways.megapixels}
          value={value.megapixels}
          onChange={(megapixels) => onChange({ by: 'megapixels', megapixels })}
          min={0.01}
          max={limits.outputPixels / 1e6}
          step={0.01}
          suffix={text.megapixels}
        />
      ) : (
        <NumberField
          {...side}
          label={text.ways[value.by]}
          value={value.pixels}
          onChange={(pixels) => onChange({ by: value.by, pixels })}
        />
      )}
    </div>
  );
}

type SizeFieldProps = { settings: Settings; tier: Tier; signedIn: boolean; size: Size | undefined };

export function SizeField({ settings, tier, signedIn, size }: SizeFieldProps) {
  const { target } = settings;
  return (
    <div className="grid gap-1">
      {target ? (
        <TargetFields value={target} onChange={(next) => set({ target: next })} />
      ) : (
        <FactorField settings={settings} onChange={set} tier={tier} signedIn={signedIn} size={size} />
      )}
      <LinkButton onClick={() => set({ target: target ? undefined : emptyTarget('box') })}>
        {target ? text.close : text.open}
      </LinkButton>
    </div>
  );
}
