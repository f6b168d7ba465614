const warningShare = 0.8;

/** How near an allowance is to its end: from 80 % on it is `high`, at 100 % `full`. An allowance of none is full. */
export function meterLevel(value: number, max: number): 'normal' | 'high' | 'full' {
  if (value >= max) return 'full';
  return value >= max * warningShare ? 'high' : 'normal';
}
