import { Slider as Radix } from 'radix-ui';

type SliderProps = {
  label: string;
  value: number;
  valueText: string;
  min: number;
  max: number;
  onChange: (value: number) => void;
  disabled?: boolean;
};

/** A slider in whole steps with its stops printed below. */
export function Slider({ label, value, valueText, min, max, onChange, disabled }: SliderProps) {
  const stops = Array.from({ length: max - min + 1 }, (_, index) => min + index);
  return (
    <div className="grid gap-1">
      <Radix.Root
        min={min}
        max={max}
        step={1}
        value={[value]}
        onValueChange={([next]) => next !== undefined && onChange(next)}
        disabled={disabled}
        className="relative flex h-9 touch-none items-center select-none data-disabled:opacity-50"
      >
        <Radix.Track className="relative h-1 grow rounded-full bg-line">
          <Radix.Range className="absolute h-full rounded-full bg-ink" />
        </Radix.Track>
        <Radix.Thumb
          aria-label={label}
          aria-valuetext={valueText}
          className="block size-6 rounded-full border-[1.5px] border-ink bg-surface transition-[border-width] hover:border-[3px]"
        />
      </Radix.Root>
      <div aria-hidden="true" className="flex justify-between text-muted text-xs tabular-nums">
        {stops.map((stop) => (
          <button
            key={stop}
            type="button"
            tabIndex={-1}
            disabled={disabled}
            onClick={() => onChange(stop)}
            className={`w-6 rounded-control py-0.5 text-center hover:text-ink ${stop === value ? 'font-medium text-ink' : ''}`}
          >
            {stop}
          </button>
        ))}
      </div>
    </div>
  );
}
