const warningShare = 0.8;

/** Level of a meter: `high` from 80%, `full` from 100% or when `max` is 0. */
export function meterLevel(value: number, max: number): 'normal' | 'high' | 'full' {
  if (value >= max) return 'full';
  return value >= max * warningShare ? 'high' : 'normal';
}
