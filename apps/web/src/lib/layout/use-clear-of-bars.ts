import { useEffect, useState } from 'react';
import { clearOfBars } from './clear-of-bars.ts';

/** Bars that hold the action of a page in sight carry this attribute. */
const findBars = () => [...document.querySelectorAll('[data-action-bar]')].map((bar) => bar.getBoundingClientRect());

/** How far above the window's bottom a toast stands, for as long as one is `shown`; pixels. */
export function useClearOfBars(shown: boolean): number {
  const [clear, setClear] = useState(0);
  useEffect(() => {
    if (!shown) return;
    let frame = 0;
    const measure = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() =>
        setClear(clearOfBars(findBars(), { width: window.innerWidth, height: window.innerHeight })),
      );
    };
    const stop = new AbortController();
    const on = { capture: true, passive: true, signal: stop.signal };
    measure();
    for (const name of ['scroll', 'resize']) window.addEventListener(name, measure, on);
    // A bar grows with what it has to say.
    const sizes = new ResizeObserver(measure);
    for (const bar of document.querySelectorAll('[data-action-bar]')) sizes.observe(bar);
    return () => {
      stop.abort();
      sizes.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [shown]);
  return clear;
}
