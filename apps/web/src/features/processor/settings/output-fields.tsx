import { formatNames, formatTraits, type OutputFormat, outputFormats } from '@uprez/contracts/policy/image-formats';
import { may } from '@uprez/contracts/policy/may';
import type { Plan } from '@uprez/contracts/policy/plan-versions';
import { FormatField, QualityField } from '../../../ui/recipe/recipe-fields.tsx';
import { requestedFormat } from '../../../ui/recipe/requested-format.ts';
import { processorMessages as text } from '../messages.ts';
import type { SourceImage } from '../state/image.ts';
import { type Settings, useSettings } from '../state/settings-store.ts';
import { BackgroundNote } from './background-note.tsx';
import { FileSizeField } from './file-size-field.tsx';

const set = useSettings.setState;

type FrameNoteProps = { frames: number | undefined; format: OutputFormat | undefined; ownPlan: Plan };

/** Shown when a format keeps only the first frame of an animation, with the formats that keep all frames. */
function FrameNote({ frames, format, ownPlan }: FrameNoteProps) {
  if (!frames || !format || formatTraits[format].animated) return null;
  const whole = outputFormats
    .filter((name) => formatTraits[name].animated && may(ownPlan, { what: 'format', format: name }).ok)
    .map((name) => formatNames[name]);
  return <p className="-mt-3.5 text-warning text-xs">{text.firstFrame(formatNames[format], frames, whole)}</p>;
}

type OutputFieldsProps = {
  settings: Settings;
  image: SourceImage;
  ownPlan: Plan;
  /** The format of the result; undefined if it is not known yet. */
  format: OutputFormat | undefined;
};

/** The format of the result and what depends on it. */
export function OutputFields({ settings, image, ownPlan, format }: OutputFieldsProps) {
  return (
    <>
      <FormatField
        value={requestedFormat(settings, [image.source.type])}
        onChange={(next) => set({ format: next })}
        ownPlan={ownPlan}
        autoFormat={format}
      />
      <FrameNote frames={image.frames} format={format} ownPlan={ownPlan} />
      <BackgroundNote image={image} format={format} background={settings.background} />
      <QualityField quality={settings.quality} format={format} onChange={set} />
      {format && formatTraits[format].lossy && <FileSizeField targetBytes={settings.targetBytes} />}
    </>
  );
}
