import { messages } from '../../messages.ts';
import type { Sample } from './samples.ts';

const imageStyle = 'absolute inset-0 size-full object-cover';

/** Both halves of a sample without a slider, until its code is loaded. */
export function SampleStill({ sample }: { sample: Sample }) {
  return (
    <div className="relative size-full">
      <img src={sample.before} alt={messages.viewer.before} className={imageStyle} draggable={false} />
      <img
        src={sample.after}
        alt={messages.viewer.after}
        className={`${imageStyle} [clip-path:inset(0_0_0_50%)]`}
        draggable={false}
      />
    </div>
  );
}
