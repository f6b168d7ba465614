import { useEffect, useState } from 'react';
import { toastOffset } from './toast-offset.ts';

/** Sticky bars with the main action of a page have this attribute. */
const findBars = () => [...document.querySelectorAll('[data-action-bar]')].map((bar) => bar.getBoundingClientRect());

/** Distance of a toast from the bottom of the window in pixels, while one is `shown`. */
export function useToastOffset(shown: boolean): number {
  const [clear, setClear] = useState(0);
  useEffect(() => {
    if (!shown) return;
    let frame = 0;
    const measure = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() =>
        setClear(toastOffset(findBars(), { width: window.innerWidth, height: window.innerHeight })),
      );
    };
    const stop = new AbortController();
    const on = { capture: true, passive: true, signal: stop.signal };
    measure();
    for (const name of ['scroll', 'resize']) window.addEventListener(name, measure, on);
    // Bars change their height with their content.
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
