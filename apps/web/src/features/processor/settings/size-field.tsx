import { dpiRange } from '@uprez/contracts/policy/image-formats';
import type { Plan } from '@uprez/contracts/policy/plan-versions';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { targetSize } from '@uprez/imaging/plan/target-size';
import type { Size } from '../../../lib/format/format.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { FactorField, LinkButton } from '../../../ui/recipe/recipe-fields.tsx';
import { processorMessages } from '../messages.ts';
import { type Settings, useSettings } from '../state/settings-store.ts';
import {
  localUnit,
  makeTarget,
  type TargetSize,
  type TargetWay,
  targetFields,
  targetWays,
  toPrinted,
} from '../state/target-size.ts';
import { BoxFields } from './box-fields.tsx';
import { MegapixelField, SideField } from './length-fields.tsx';

const text = processorMessages.target;
const set = useSettings.setState;

type TargetFieldsProps = {
  value: TargetSize;
  /** Of the image. */
  size: Size | undefined;
  /** Of the result. Another way to enter a size begins with it. */
  result: Size | undefined;
  onChange: (target: TargetSize) => void;
};

function TargetFields({ value, size, result, onChange }: TargetFieldsProps) {
  return (
    <div className="grid gap-3">
      <Select<TargetWay>
        label={text.by}
        value={value.by}
        onChange={(by) => onChange(makeTarget(by, result))}
        options={targetWays.map((by) => ({ value: by, label: text.ways[by] }))}
      />
      {value.by === 'box' || value.by === 'print' ? (
        <BoxFields value={value} size={size} onChange={onChange} />
      ) : value.by === 'megapixels' ? (
        <MegapixelField
          value={value.megapixels}
          onChange={(megapixels) => onChange({ by: 'megapixels', megapixels })}
        />
      ) : (
        <SideField
          label={text.ways[value.by]}
          value={value.pixels}
          onChange={(pixels) => onChange({ by: value.by, pixels })}
        />
      )}
    </div>
  );
}

/** The size on paper at the usual resolution of photos. */
function PrintSize({ result }: { result: Size }) {
  const unit = localUnit();
  const dpi = dpiRange.default;
  const [width, height] = [result.width, result.height].map((side) => toPrinted(side, unit, dpi).toFixed(1));
  return <p className="text-muted text-xs tabular-nums">{text.prints(`${width} x ${height} ${unit}`, dpi)}</p>;
}

type SizeFieldProps = { settings: Settings; ownPlan: Plan; signedIn: boolean; size: Size | undefined };

export function SizeField({ settings, ownPlan, signedIn, size }: SizeFieldProps) {
  const { target } = settings;
  const fields = target ? targetFields(target) : { scaleFactor: settings.scaleFactor };
  const result = size && (fields ? targetSize({ ...recipeDefaults, ...fields }, size) : size);
  return (
    <div className="grid gap-1">
      {target ? (
        <TargetFields value={target} size={size} result={result} onChange={(next) => set({ target: next })} />
      ) : (
        <FactorField settings={settings} onChange={set} ownPlan={ownPlan} signedIn={signedIn} size={size} />
      )}
      {result && fields && target?.by !== 'print' && <PrintSize result={result} />}
      <LinkButton onClick={() => set({ target: target ? undefined : makeTarget('box', result) })}>
        {target ? text.close : text.open}
      </LinkButton>
    </div>
  );
}
