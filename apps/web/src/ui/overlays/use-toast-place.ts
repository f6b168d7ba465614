import { type RefObject, useLayoutEffect, useState } from 'react';
import { findClearOffset } from '../../lib/layout/find-clear-offset.ts';

/** Sticky bars with the main action of a page, and all main buttons. */
const actions = '[data-action-bar], .primary-action';
const navigation = 'header';
/** The width from which toasts are at the bottom right; the `md` breakpoint. */
const wide = '(min-width: 48rem)';

function measure(viewport: HTMLElement): number {
  const { left, right, height } = viewport.getBoundingClientRect();
  const isWide = matchMedia(wide).matches;
  const bar = document.querySelector(navigation)?.getBoundingClientRect();
  return findClearOffset({
    obstacles: [...document.querySelectorAll(actions)].map((action) => action.getBoundingClientRect()),
    box: { left, right, height },
    height: window.innerHeight,
    from: isWide ? 'bottom' : 'top',
    start: isWide ? 0 : Math.max(0, bar?.bottom ?? 0),
  });
}

/** Distance of the toasts from their edge of the window, in pixels, at which they cover no main action of the page. */
export function useToastPlace(viewport: RefObject<HTMLElement | null>, shown: boolean): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const element = viewport.current;
    if (!shown || !element) return;
    let frame = 0;
    const place = () => setOffset(measure(element));
    const schedule = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(place);
    };
    place();
    const stop = new AbortController();
    const on = { capture: true, passive: true, signal: stop.signal };
    for (const name of ['scroll', 'resize']) window.addEventListener(name, schedule, on);
    const sizes = new ResizeObserver(schedule);
    for (const part of [element, document.body]) sizes.observe(part);
    // The page may open or change after the toast.
    const content = new MutationObserver(schedule);
    content.observe(document.body, { childList: true, subtree: true });
    return () => {
      stop.abort();
      sizes.disconnect();
      content.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [shown, viewport]);
  return offset;
}
