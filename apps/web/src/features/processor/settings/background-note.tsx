import { defaultFormat, formatNames, type OutputFormat } from '@uprez/contracts/policy/image-formats';
import { useId } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { processorMessages } from '../messages.ts';
import type { SourceImage } from '../state/image.ts';
import { useSettings } from '../state/settings-store.ts';
import { useTransparency } from '../state/use-transparency.ts';

const text = processorMessages.background;
const set = useSettings.setState;

/** The color with which the own choice begins. */
const gray = '#808080';
const presets = { white: '#ffffff', black: '#000000' } as const;

const presetOf = (color: string) => {
  if (color === presets.white) return 'white';
  return color === presets.black ? 'black' : 'other';
};

function BackgroundField({ color }: { color: string }) {
  const id = useId();
  const preset = presetOf(color);
  return (
    <div className="mt-3 grid gap-2">
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

type BackgroundNoteProps = { image: SourceImage; format: OutputFormat | undefined; background: string };

/** Shown before transparent areas are lost, with the color that replaces them and a format that keeps them. */
export function BackgroundNote({ image, format, background }: BackgroundNoteProps) {
  const isLost = useTransparency(image, format);
  if (!isLost || !format) return null;
  return (
    <Notice kind="warning">
      <p>{text.lost(formatNames[format])}</p>
      <Button look="secondary" size="small" className="mt-2" onClick={() => set({ format: defaultFormat })}>
        {text.keep(formatNames[defaultFormat])}
      </Button>
      <BackgroundField color={background} />
    </Notice>
  );
}
