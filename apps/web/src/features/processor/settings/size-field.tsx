import { dpiRange } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { fitModes } from '@uprez/contracts/recipe/recipe-choices';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { computeTargetSize } from '@uprez/imaging/pipeline/compute-target-size';
import { Lock, LockOpen } from 'lucide-react';
import { formatSize, type Size } from '../../../lib/format/format.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { NumberField } from '../../../ui/controls/number-field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { FactorField, LinkButton } from '../../../ui/recipe/recipe-fields.tsx';
import { processorMessages } from '../messages.ts';
import { findCrop } from '../preview/preview-options.tsx';
import { type Settings, useSettings } from '../state/settings-store.ts';
import {
  type Box,
  type BoxTarget,
  guessPrintUnit,
  makeTarget,
  type PrintUnit,
  printStep,
  type TargetSize,
  type TargetWay,
  targetWays,
  toPrintLength,
  toShownSides,
  toTargetFields,
  unitsPerInch,
} from '../state/target-size.ts';

const text = processorMessages.target;

const setSettings = useSettings.setState;

type SizeFieldProps = { settings: Settings; ownPlan: Plan; signedIn: boolean; size: Size | undefined };

export function SizeField({ settings, ownPlan, signedIn, size }: SizeFieldProps) {
  const { target } = settings;
  const fields = target ? toTargetFields(target) : { scaleFactor: settings.scaleFactor };
  const result = size && (fields ? computeTargetSize({ ...recipeDefaults, ...fields }, size) : size);
  return (
    <div className="grid gap-1">
      {target ? (
        <TargetFields value={target} size={size} result={result} onChange={(next) => setSettings({ target: next })} />
      ) : (
        <FactorField settings={settings} onChange={setSettings} ownPlan={ownPlan} signedIn={signedIn} size={size} />
      )}
      {result && fields && target?.by !== 'print' && <PrintSize result={result} />}
      <LinkButton onClick={() => setSettings({ target: target ? undefined : makeTarget('box', result) })}>
        {target ? text.close : text.open}
      </LinkButton>
    </div>
  );
}

type TargetFieldsProps = {
  value: TargetSize;
  /** Size of the source image. */
  size: Size | undefined;
  /** Size of the result. Provides the initial values when the user switches to another way of entering the size. */
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

/** Shows the print size of the result at the default photo resolution. */
function PrintSize({ result }: { result: Size }) {
  const unit = guessPrintUnit();
  const dpi = dpiRange.default;
  const [width, height] = [result.width, result.height].map((side) => toPrintLength(side, unit, dpi).toFixed(1));
  return <p className="text-muted text-xs tabular-nums">{text.prints(`${width} x ${height} ${unit}`, dpi)}</p>;
}

type LengthProps = { value: number | undefined; onChange: (value: number | undefined) => void };

const SideField = (props: LengthProps & { label: string }) => (
  <NumberField {...props} min={1} max={limits.outputSide} suffix={text.pixels} />
);

const MegapixelField = (props: LengthProps) => (
  <NumberField
    {...props}
    label={text.ways.megapixels}
    min={0.01}
    max={limits.outputPixels / 1e6}
    step={0.01}
    suffix={text.megapixels}
  />
);

type BoxFieldsProps = { value: BoxTarget; size: Size | undefined; onChange: (target: BoxTarget) => void };

const maxPrintSize = (unit: PrintUnit, dpi: number | undefined) =>
  Math.floor((limits.outputSide / (dpi ?? dpiRange.default)) * unitsPerInch[unit]);

function sideRangeOf(target: BoxTarget) {
  if (target.by === 'box') return { min: 1, max: limits.outputSide, suffix: text.pixels };
  const { unit, dpi } = target;
  return { min: printStep, max: maxPrintSize(unit, dpi), step: printStep, suffix: unit };
}

type PrintFieldsProps = { value: Extract<BoxTarget, { by: 'print' }>; onChange: BoxFieldsProps['onChange'] };

function PrintFields({ value, onChange }: PrintFieldsProps) {
  const { unit, width, height } = value;
  const convert = (length: number | undefined, next: PrintUnit) =>
    length && Math.round((length / unitsPerInch[unit]) * unitsPerInch[next] * 100) / 100;
  return (
    <div className="grid grid-cols-2 gap-2">
      <Select<PrintUnit>
        label={text.unit}
        value={unit}
        onChange={(next) =>
          onChange({ ...value, unit: next, width: convert(width, next), height: convert(height, next) })
        }
        options={(['cm', 'in'] as const).map((name) => ({ value: name, label: text.units[name] }))}
      />
      <NumberField
        label={text.resolution}
        value={value.dpi}
        onChange={(dpi) => onChange({ ...value, dpi })}
        min={dpiRange.min}
        max={dpiRange.max}
        suffix={text.dpi}
      />
    </div>
  );
}

/**
 * Fields for width and height, in pixels or in print units. While the sides are linked, entering one clears the other,
 * which is then computed.
 */
function BoxFields({ value, size, onChange }: BoxFieldsProps) {
  const shown = toShownSides(value, size);
  const crop = findCrop(value, size);
  const isLinked = value.linked === true && size !== undefined;
  const change = (name: 'width' | 'height', next: number | undefined) =>
    onChange({ ...value, ...(isLinked ? { width: undefined, height: undefined } : { linked: false }), [name]: next });
  const unlink = (fit: Box['fit'] = value.fit) => onChange({ ...value, ...shown, linked: false, fit });
  const link = () => {
    // Linked sides keep the image's proportions, so `cover` would have nothing to crop.
    const fit = value.fit === 'cover' ? 'fit' : value.fit;
    onChange({ ...value, height: value.width ? undefined : value.height, linked: true, fit });
  };
  const hasBoth = shown.width !== undefined && shown.height !== undefined;
  return (
    <>
      <div className="flex items-start gap-2">
        {(['width', 'height'] as const).map((name) => (
          <div key={name} className="min-w-0 flex-1">
            <NumberField
              {...sideRangeOf(value)}
              label={text[name]}
              value={shown[name]}
              onChange={(next) => change(name, next)}
            />
          </div>
        ))}
        {size && (
          <IconButton
            label={text.linked}
            icon={isLinked ? Lock : LockOpen}
            aria-pressed={isLinked}
            className="mt-6.5"
            onClick={() => (isLinked ? unlink() : link())}
          />
        )}
      </div>
      {value.by === 'print' && <PrintFields value={value} onChange={onChange} />}
      <Select
        label={text.fit}
        hint={crop && size && text.keeps(formatSize(crop), formatSize(size))}
        value={value.fit}
        onChange={(fit) => (fit === 'cover' && isLinked ? unlink(fit) : onChange({ ...value, fit }))}
        options={fitModes.map((name) => ({
          value: name,
          label: text.fits[name],
          disabled: name === 'cover' && !hasBoth,
        }))}
      />
    </>
  );
}
