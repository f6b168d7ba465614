import { may } from '@uprez/contracts/may';
import { formatNames, formatTraits, type OutputFormat, outputFormats } from '@uprez/contracts/picture-formats';
import type { Tier } from '@uprez/contracts/plans';
import { processorMessages as text } from '../../messages/processor.ts';

type MotionNoteProps = { frames: number | undefined; format: OutputFormat; tier: Tier };

/** Says that a format holds only the first picture of an animation, and which formats of the plan hold all of them. */
export function MotionNote({ frames, format, tier }: MotionNoteProps) {
  if (!frames || formatTraits[format].animated) return null;
  const whole = outputFormats
    .filter((name) => formatTraits[name].animated && may(tier, { what: 'format', format: name }).ok)
    .map((name) => formatNames[name]);
  return <p className="-mt-3.5 text-warning text-xs">{text.firstFrame(formatNames[format], frames, whole)}</p>;
}
