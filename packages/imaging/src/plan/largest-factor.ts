import { factorRange } from '@uprez/contracts/policy/image-formats';

/**
 * The largest factor in hundredths below `asked` that `accepts`, by bisection; undefined when not even the smallest is
 * accepted. `accepts` must be monotonic: true up to some factor, false above.
 */
export function largestFactor(asked: number, accepts: (factor: number) => boolean): number | undefined {
  let good = factorRange.min * 100;
  if (!accepts(factorRange.min)) return undefined;
  let bad = Math.ceil(asked * 100);
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (accepts(middle / 100)) good = middle;
    else bad = middle;
  }
  return good / 100;
}
