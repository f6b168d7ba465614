import { dpiRange } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { fits } from '@uprez/contracts/recipe/recipe-choices';
import { Lock, LockOpen } from 'lucide-react';
import { formatSize, type Size } from '../../../lib/format/format.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { NumberField } from '../../../ui/controls/number-field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { processorMessages } from '../messages.ts';
import { findCrop } from '../preview/preview-options.tsx';
import { type Box, type BoxTarget, type PrintUnit, printStep, shownSides, unitsPerInch } from '../state/target-size.ts';

const text = processorMessages.target;

type BoxFieldsProps = { value: BoxTarget; size: Size | undefined; onChange: (target: BoxTarget) => void };

const printMax = (unit: PrintUnit, dpi: number | undefined) =>
  Math.floor((limits.outputSide / (dpi ?? dpiRange.default)) * unitsPerInch[unit]);

/** Range and unit of a side. */
function sideOf(target: BoxTarget) {
  if (target.by === 'box') return { min: 1, max: limits.outputSide, suffix: text.pixels };
  const { unit, dpi } = target;
  return { min: printStep, max: printMax(unit, dpi), step: printStep, suffix: unit };
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

/** Width and height, in pixels or on paper. While they are linked, a change of one replaces the other. */
export function BoxFields({ value, size, onChange }: BoxFieldsProps) {
  const shown = shownSides(value, size);
  const crop = findCrop(value, size);
  const isLinked = value.linked === true && size !== undefined;
  const change = (name: 'width' | 'height', next: number | undefined) =>
    onChange({ ...value, ...(isLinked ? { width: undefined, height: undefined } : { linked: false }), [name]: next });
  const unlink = (fit: Box['fit'] = value.fit) => onChange({ ...value, ...shown, linked: false, fit });
  const link = () => {
    // Sides in the image's proportions leave nothing to crop.
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
              {...sideOf(value)}
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
        options={fits.map((name) => ({
          value: name,
          label: text.fits[name],
          disabled: name === 'cover' && !hasBoth,
        }))}
      />
    </>
  );
}
