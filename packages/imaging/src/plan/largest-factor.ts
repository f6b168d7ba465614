/**
 * The largest factor in hundredths from 1 up to below `asked` that `accepts`, by bisection; undefined when not even 1
 * is accepted. `accepts` must be monotonic: true up to some factor, false above.
 */
export function largestFactor(asked: number, accepts: (factor: number) => boolean): number | undefined {
  if (!accepts(1)) return undefined;
  let good = 100;
  let bad = Math.ceil(asked * 100);
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (accepts(middle / 100)) good = middle;
    else bad = middle;
  }
  return good / 100;
}
