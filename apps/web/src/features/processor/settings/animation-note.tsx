import { formatNames, formatTraits, type OutputFormat, outputFormats } from '@uprez/contracts/policy/image-formats';
import { may } from '@uprez/contracts/policy/may';
import type { Tier } from '@uprez/contracts/policy/plans';
import { processorMessages as text } from '../messages.ts';

type AnimationNoteProps = { frames: number | undefined; format: OutputFormat; tier: Tier };

/** Shown when a format keeps only the first frame of an animation, with the formats that keep all frames. */
export function AnimationNote({ frames, format, tier }: AnimationNoteProps) {
  if (!frames || formatTraits[format].animated) return null;
  const whole = outputFormats
    .filter((name) => formatTraits[name].animated && may(tier, { what: 'format', format: name }).ok)
    .map((name) => formatNames[name]);
  return <p className="-mt-3.5 text-warning text-xs">{text.firstFrame(formatNames[format], frames, whole)}</p>;
}
