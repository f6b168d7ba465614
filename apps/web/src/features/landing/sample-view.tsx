import { lazy, Suspense, useId, useState } from 'react';
import { describeError } from '../../lib/api/api-errors.ts';
import { formatCaption } from '../../lib/format/caption.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ReceiptLine } from '../../ui/receipt/receipt-line.tsx';
import { type Sample, samples } from './samples.ts';

const text = messages.landing;

function SamplePicker({ value, onChange }: { value: Sample; onChange: (sample: Sample) => void }) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-muted text-sm">{text.samples}</legend>
      <div className="grid grid-cols-4 gap-2">
        {samples.map((sample) => (
          <label key={sample.id} className="group relative grid gap-1 text-xs">
            <input
              type="radio"
              name={name}
              checked={sample === value}
              onChange={() => onChange(sample)}
              className="absolute inset-0 cursor-[inherit] opacity-0"
            />
            <img
              src={sample.before}
              alt=""
              loading="lazy"
              width={4}
              height={3}
              className="aspect-4/3 w-full object-cover opacity-80 outline-2 outline-transparent outline-offset-2 transition-opacity group-hover:opacity-100 group-has-checked:opacity-100 group-has-checked:outline-ink group-has-focus-visible:outline-focus"
            />
            <span className="mt-1 truncate text-muted group-has-checked:font-medium group-has-checked:text-ink">
              {text.sampleNames[sample.id]}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const imageStyle = 'absolute inset-0 size-full object-cover';

/** Shown until the slider's code is loaded. On prerendered pages, the images load lazily, after the code. */
function SampleStill({ sample }: { sample: Sample }) {
  return (
    <div className="relative size-full">
      <img src={sample.before} alt={messages.viewer.before} loading="lazy" className={imageStyle} draggable={false} />
      <img
        src={sample.after}
        alt={messages.viewer.after}
        loading="lazy"
        className={`${imageStyle} [clip-path:inset(0_0_0_50%)]`}
        draggable={false}
      />
    </div>
  );
}

const SampleCompare = lazy(async () => ({ default: (await import('./sample-compare.tsx')).SampleCompare }));

async function fetchSample({ id, before }: Sample): Promise<File> {
  const response = await fetch(before);
  if (!response.ok) throw new Error(response.statusText);
  return new File([await response.blob()], `${id}.jpg`, { type: 'image/jpeg' });
}

/** `onOpen`: called to open a sample as if the visitor had chosen its file. */
export function SampleView({ onOpen }: { onOpen: (file: File) => void }) {
  const [sample, setSample] = useState<Sample>(samples[0]);
  const open = async () => {
    try {
      onOpen(await fetchSample(sample));
    } catch (error) {
      showToast({ title: text.sampleFailed, description: describeError(error), destructive: true });
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
          <ReceiptLine text={formatCaption(sample)} />
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
