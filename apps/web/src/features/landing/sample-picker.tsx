import { useId } from 'react';
import { messages } from '../../messages.ts';
import { type Sample, samples } from './samples.ts';

const text = messages.landing;

/** Chooses a sample. Native radio buttons with thumbnails. */
export function SamplePicker({ value, onChange }: { value: Sample; onChange: (sample: Sample) => void }) {
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
