import { Badge } from './badge.tsx';

const warningShare = 0.8;

/** Returns the level of a meter: `high` from 80%, `full` from 100% or when `max` is 0. */
export function toMeterLevel(value: number, max: number): 'normal' | 'high' | 'full' {
  if (value >= max) return 'full';
  return value >= max * warningShare ? 'high' : 'normal';
}

type MeterProps = { label: string; value: number; max: number; valueText: string };

const bars = { normal: 'bg-ink', high: 'bg-active', full: 'bg-failed' } as const;
const levelTexts = { normal: undefined, high: 'Almost at the limit', full: 'Limit reached' } as const;

export function Meter({ label, value, max, valueText }: MeterProps) {
  const level = toMeterLevel(value, max);
  const word = levelTexts[level];
  const share = max > 0 ? Math.min(1, value / max) : 1;
  return (
    <div className="grid content-start gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
        <span className="flex items-center gap-2">
          {label}
          {word && <Badge kind={level === 'full' ? 'danger' : 'warning'}>{word}</Badge>}
        </span>
        <span className="text-muted tabular-nums">{valueText}</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: the bar of a <meter> takes no style in some browsers */}
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={word ? `${valueText}, ${word}` : valueText}
        className="h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div className={`h-full rounded-full transition-[width] ${bars[level]}`} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}
