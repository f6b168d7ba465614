import clsx from 'clsx';
import { Lock } from 'lucide-react';
import { Slider as Radix } from 'radix-ui';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { announce } from '../../lib/notifications/announce.ts';
import { Tooltip } from './tooltip.tsx';

type RailProps = Omit<ComponentProps<typeof Radix.Thumb>, 'onChange'> & {
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
  disabled?: boolean;
};

/** The thumb receives the other props. */
export function Rail({ value, min, max, onChange, disabled, ...thumb }: RailProps) {
  return (
    <Radix.Root
      min={min}
      max={max}
      value={[value]}
      onValueChange={([next]) => next !== undefined && onChange(next)}
      disabled={disabled}
      className="relative flex h-9 grow touch-none items-center select-none data-disabled:opacity-50"
    >
      <Radix.Track className="relative h-1 grow rounded-full bg-line">
        <Radix.Range className="absolute h-full rounded-full bg-ink" />
      </Radix.Track>
      <Radix.Thumb
        {...thumb}
        className="block size-6 rounded-full border-[1.5px] border-ink bg-surface transition-[border-width] hover:border-[3px]"
      />
    </Radix.Root>
  );
}

const stopStyle = 'flex w-6 flex-col items-center gap-0.5 rounded-control py-0.5 text-center';

type StopProps = { stop: number; value: number; locked?: string | undefined; onPress: (stop: number) => void };

function Stop({ stop, value, locked, onPress }: StopProps) {
  const isLocked = locked !== undefined;
  const button = (
    <button
      type="button"
      tabIndex={-1}
      onClick={() => onPress(stop)}
      className={clsx(stopStyle, 'hover:text-ink', stop === value && 'font-medium text-ink')}
    >
      {stop}
      {isLocked && <Lock strokeWidth={1.75} className="size-3" />}
    </button>
  );
  return isLocked ? <Tooltip text={locked}>{button}</Tooltip> : button;
}

type SliderProps = Pick<RailProps, 'value' | 'min' | 'max' | 'onChange'> & {
  label: string;
  valueText: string;
  /** This value and all higher ones can't be chosen. */
  lockedFrom?: number | undefined;
  /** Shown in the tooltip of each locked value and below the slider. */
  lockedText?: (stop: number) => string;
  /** Shown after the text below the slider. */
  lockedAction?: ReactNode;
};

/**
 * Returns the locked value to explain: the last locked value that the user tried, or the lowest one. `explain`
 * announces why a value is locked.
 */
function useLockedStop({ lockedFrom, lockedText = String }: Pick<SliderProps, 'lockedFrom' | 'lockedText'>) {
  const [tried, setTried] = useState<number>();
  const shown = tried !== undefined && lockedFrom !== undefined && tried >= lockedFrom ? tried : lockedFrom;
  const explain = (stop: number) => {
    setTried(stop);
    announce(lockedText(stop));
  };
  return { shown, isTried: tried !== undefined && shown === tried, explain };
}

/** When the user tries a locked value, explains why it is locked and keeps the thumb below it. */
export function Slider({ label, valueText, lockedFrom, lockedText = String, lockedAction, ...rail }: SliderProps) {
  const { onChange, ...range } = rail;
  const { value, min, max } = range;
  const id = useId();
  const { shown, isTried, explain } = useLockedStop({ lockedFrom, lockedText });
  const stops = Array.from({ length: max - min + 1 }, (_, index) => min + index);
  const highest = lockedFrom === undefined ? max : lockedFrom - 1;
  const change = (next: number) => {
    if (next > highest) explain(next);
    onChange(Math.min(next, highest));
  };
  return (
    <div className="grid content-start gap-1">
      <Rail
        {...range}
        onChange={change}
        aria-label={label}
        aria-valuetext={valueText}
        aria-valuemax={highest}
        aria-describedby={lockedFrom === undefined ? undefined : id}
      />
      <div aria-hidden="true" className="flex justify-between text-muted text-xs tabular-nums">
        {stops.map((stop) => (
          <Stop
            key={stop}
            stop={stop}
            value={value}
            locked={stop > highest ? lockedText(stop) : undefined}
            onPress={(next) => (next > highest ? explain(next) : onChange(next))}
          />
        ))}
      </div>
      {shown !== undefined && (
        <p className={clsx('mt-1 flex gap-1.5 text-xs', isTried ? 'text-ink' : 'text-muted')}>
          <Lock aria-hidden="true" strokeWidth={1.75} className="mt-0.5 size-3 shrink-0" />
          <span>
            <span id={id}>{lockedText(shown)}</span> {lockedAction}
          </span>
        </p>
      )}
    </div>
  );
}
