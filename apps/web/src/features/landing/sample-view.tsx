import { lazy, Suspense, useState } from 'react';
import { errorMessage } from '../../lib/api/api-errors.ts';
import { caption } from '../../lib/format/caption.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ReceiptLine } from '../../ui/receipt/receipt-line.tsx';
import { SamplePicker } from './sample-picker.tsx';
import { SampleStill } from './sample-still.tsx';
import { type Sample, samples } from './samples.ts';

const text = messages.landing;
const SampleCompare = lazy(async () => ({ default: (await import('./sample-compare.tsx')).SampleCompare }));

async function fetchSample({ id, before }: Sample): Promise<File> {
  const response = await fetch(before);
  if (!response.ok) throw new Error(response.statusText);
  return new File([await response.blob()], `${id}.jpg`, { type: 'image/jpeg' });
}

type SampleViewProps = { /** Opens a sample as if the visitor had chosen the file. */ onOpen: (file: File) => void };

/** Samples with their receipts. */
export function SampleView({ onOpen }: SampleViewProps) {
  const [sample, setSample] = useState<Sample>(samples[0]);
  const open = async () => {
    try {
      onOpen(await fetchSample(sample));
    } catch (error) {
      showToast({ title: text.sampleFailed, description: errorMessage(error), destructive: true });
    }
  };
  return (
    <figure className="grid min-w-0 content-start gap-3">
      <div className="aspect-4/3 overflow-hidden bg-stage">
        <Suspense fallback={<SampleStill sample={sample} />}>
          <SampleCompare key={sample.id} sample={sample} />
        </Suspense>
      </div>
      <figcaption className="grid gap-1 text-sm">
        <span className="tabular-nums">
          <ReceiptLine text={caption(sample)} />
        </span>
        <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-muted text-xs">
          {text.sampleCredits[sample.id]}
          <Button look="secondary" size="small" onClick={() => void open()}>
            {text.openSample}
          </Button>
        </span>
      </figcaption>
      <SamplePicker value={sample} onChange={setSample} />
    </figure>
  );
}
