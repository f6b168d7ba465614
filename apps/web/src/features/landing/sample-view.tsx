import { caption } from '../../lib/caption.ts';
import { formatSize } from '../../lib/format.ts';
import { messages } from '../../messages.ts';
import { CompareSlider } from '../../ui/compare-slider.tsx';
import { ReceiptLine } from '../../ui/receipt-line.tsx';
import { sample } from './sample.ts';

const text = messages.landing;
const pictureStyle = 'block size-full object-cover';

/** A finished job that a visitor can drag at once, with its receipt. */
export function SampleView() {
  const { before, after, originalSize, processedSize } = sample;
  return (
    <figure className="grid content-start gap-3">
      <div className="aspect-4/3 overflow-hidden bg-stage">
        <CompareSlider
          before={<img src={before} alt={messages.viewer.before} className={pictureStyle} draggable={false} />}
          after={<img src={after} alt={messages.viewer.after} className={pictureStyle} draggable={false} />}
          beforeLabel={{ name: messages.processor.original, facts: formatSize(originalSize) }}
          afterLabel={{ name: messages.processor.upscaled, facts: formatSize(processedSize) }}
        />
      </div>
      <figcaption className="grid gap-0.5 text-sm">
        <span className="tabular-nums">
          <ReceiptLine text={caption(sample)} />
        </span>
        <span className="text-muted">{text.sample}</span>
      </figcaption>
    </figure>
  );
}
