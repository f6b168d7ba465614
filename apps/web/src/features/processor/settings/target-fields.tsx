import { limits } from '@uprez/contracts/policy/limits';
import { fits } from '@uprez/contracts/recipe/recipe-choices';
import { NumberField } from '../../../ui/controls/number-field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { processorMessages } from '../messages.ts';
import { emptyTarget, type TargetSize, type TargetWay, targetWays } from './target.ts';

const text = processorMessages.target;
const side = { min: 1, max: limits.outputSide, suffix: text.pixels };

type TargetFieldsProps = { value: TargetSize; onChange: (target: TargetSize) => void };

function BoxFields({ value, onChange }: TargetFieldsProps & { value: Extract<TargetSize, { by: 'box' }> }) {
  const { width, height, fit } = value;
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        <NumberField
          {...side}
          label={text.width}
          value={width}
          onChange={(next) => onChange({ ...value, width: next })}
        />
        <NumberField
          {...side}
          label={text.height}
          value={height}
          onChange={(next) => onChange({ ...value, height: next })}
        />
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

/** Fields for an exact size in pixels. */
export function TargetFields({ value, onChange }: TargetFieldsProps) {
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
