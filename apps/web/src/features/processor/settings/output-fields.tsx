import type { OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { useId, useState } from 'react';
import { NumberField } from '../../../ui/controls/number-field.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { FormatField, LinkButton, QualityField } from '../../../ui/recipe/recipe-fields.tsx';
import { isLossless } from '../../../ui/recipe/recipe-settings.ts';
import { processorMessages } from '../messages.ts';
import type { SourceImage } from '../state/image.ts';
import { losslessSettingsOf, type Settings, useSettings } from '../state/settings-store.ts';
import { useTransparency } from '../state/use-transparency.ts';

const setSettings = useSettings.setState;

type OutputFieldsProps = {
  settings: Settings;
  image: SourceImage;
  ownPlan: Plan;
  /** Format of the result. Undefined if it isn't known yet. */
  format: OutputFormat | undefined;
};

export function OutputFields({ settings, image, ownPlan, format }: OutputFieldsProps) {
  const hasAlpha = image.traits?.hasAlpha;
  const exact = losslessSettingsOf(settings, image);
  const isFlattened = useTransparency(image, format);
  return (
    <>
      <FormatField
        settings={{ ...settings, alpha: hasAlpha === false ? undefined : settings.alpha }}
        onChange={setSettings}
        ownPlan={ownPlan}
        autoFormat={format}
      />
      {isFlattened && <BackgroundField color={settings.background} />}
      <QualityField quality={settings.quality} settings={exact} format={format} onChange={setSettings} />
      {format && !isLossless(exact, format) && <FileSizeField targetBytes={settings.targetBytes} />}
    </>
  );
}

const backgroundText = processorMessages.background;

const initialCustomColor = '#808080';

const presets = { white: '#ffffff', black: '#000000' } as const;

const presetOf = (color: string) => {
  if (color === presets.white) return 'white';
  return color === presets.black ? 'black' : 'other';
};

function BackgroundField({ color }: { color: string }) {
  const id = useId();
  const preset = presetOf(color);
  return (
    <div className="grid gap-2">
      <Segmented
        legend={backgroundText.label}
        options={(['white', 'black', 'other'] as const).map((value) => ({
          value,
          label: backgroundText.choices[value],
        }))}
        value={preset}
        onChange={(next) => setSettings({ background: next === 'other' ? initialCustomColor : presets[next] })}
      />
      {preset === 'other' && (
        <div className="flex items-center gap-2">
          <input
            id={id}
            type="color"
            value={color}
            onChange={(event) => setSettings({ background: event.target.value })}
            className="control w-14 rounded-control border border-edge bg-surface p-1"
          />
          <label htmlFor={id} className="text-muted text-xs">
            {backgroundText.color}
          </label>
        </div>
      )}
    </div>
  );
}

const text = processorMessages.fileSize;

const bytesPerKilobyte = 1_024;

/** An empty field means no limit. */
function FileSizeField({ targetBytes }: { targetBytes: number | undefined }) {
  const [isOpen, setOpen] = useState(targetBytes !== undefined);
  const toggle = () => {
    setOpen(!isOpen);
    setSettings({ targetBytes: undefined });
  };
  return (
    <div className="-mt-3 grid gap-1">
      {isOpen && (
        <NumberField
          label={text.label}
          hint={text.hint}
          // A job of the API may have a size between two kilobytes. It's kept until the field changes.
          value={targetBytes && Math.floor(targetBytes / bytesPerKilobyte)}
          onChange={(kilobytes) => setSettings({ targetBytes: kilobytes && kilobytes * bytesPerKilobyte })}
          min={limits.minTargetBytes / bytesPerKilobyte}
          max={Math.floor(limits.maxTargetBytes / bytesPerKilobyte)}
          suffix={text.unit}
        />
      )}
      <LinkButton onClick={toggle}>{isOpen ? text.unset : text.set}</LinkButton>
    </div>
  );
}
