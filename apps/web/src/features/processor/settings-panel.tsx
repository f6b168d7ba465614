import { factorRange, formatNames } from '@uprez/contracts/picture-formats';
import { plans } from '@uprez/contracts/plans';
import type { Size } from '../../lib/format.ts';
import { messages } from '../../messages.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Slider } from '../../ui/slider.tsx';
import { maxFactor, type Settings, useSettings } from './settings-store.ts';

const text = messages.processor;
/** What every plan makes. */
const formats = plans.free.formats.map((value) => ({ value, label: formatNames[value] }));

type SettingsPanelProps = { settings: Settings; target: Size | undefined; signedIn: boolean; disabled: boolean };

/** Factor and format of the result. */
export function SettingsPanel({ settings, target, signedIn, disabled }: SettingsPanelProps) {
  const { scaleFactor, format } = settings;
  return (
    <div className="grid gap-5">
      <div className="grid gap-1">
        <div className="flex items-baseline justify-between">
          <span className="font-medium text-sm">{text.scaleFactor}</span>
          <output className="font-medium text-lg tabular-nums">{text.factor(scaleFactor)}</output>
        </div>
        <Slider
          label={text.scaleFactor}
          value={scaleFactor}
          valueText={target ? text.factorTo(scaleFactor, target) : text.factor(scaleFactor)}
          min={1}
          max={maxFactor(signedIn)}
          onChange={(next) => useSettings.setState({ scaleFactor: next })}
          disabled={disabled}
        />
        {!signedIn && <p className="text-muted text-xs">{text.moreWhenSignedIn(factorRange.webMax)}</p>}
      </div>
      <Segmented
        legend={text.format}
        options={formats}
        value={format}
        onChange={(next) => useSettings.setState({ format: next })}
        disabled={disabled}
      />
    </div>
  );
}
