import { useId } from 'react';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { processorMessages } from '../messages.ts';
import { useSettings } from '../state/settings-store.ts';

const text = processorMessages.background;
const set = useSettings.setState;

/** The color with which the own choice begins. */
const gray = '#808080';
const presets = { white: '#ffffff', black: '#000000' } as const;

const presetOf = (color: string) => {
  if (color === presets.white) return 'white';
  return color === presets.black ? 'black' : 'other';
};

/** The color that replaces transparent areas. */
export function BackgroundField({ color }: { color: string }) {
  const id = useId();
  const preset = presetOf(color);
  return (
    <div className="grid gap-2">
      <Segmented
        legend={text.label}
        options={(['white', 'black', 'other'] as const).map((value) => ({ value, label: text.choices[value] }))}
        value={preset}
        onChange={(next) => set({ background: next === 'other' ? gray : presets[next] })}
      />
      {preset === 'other' && (
        <div className="flex items-center gap-2">
          <input
            id={id}
            type="color"
            value={color}
            onChange={(event) => set({ background: event.target.value })}
            className="control w-14 rounded-control border border-edge bg-surface p-1"
          />
          <label htmlFor={id} className="text-muted text-xs">
            {text.color}
          </label>
        </div>
      )}
    </div>
  );
}
