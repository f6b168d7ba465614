import { formatSize } from '../../lib/format/format.ts';
import { messages } from '../../messages.ts';
import { CompareSlider } from '../../ui/viewer/compare-slider.tsx';
import type { Sample } from './samples.ts';

const text = messages.processor;
const imageStyle = 'block size-full object-cover';

export function SampleCompare({ sample: { before, after, originalSize, processedSize } }: { sample: Sample }) {
  return (
    <CompareSlider
      before={<img src={before} alt={messages.viewer.before} className={imageStyle} draggable={false} />}
      after={<img src={after} alt={messages.viewer.after} className={imageStyle} draggable={false} />}
      beforeLabel={{ name: text.original, facts: formatSize(originalSize) }}
      afterLabel={{ name: text.upscaled, facts: formatSize(processedSize) }}
    />
  );
}
