import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { type CSSProperties, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { findClearOffset } from '../../lib/layout/find-clear-offset.ts';
import { useToasts } from '../../lib/notifications/toast-store.ts';
import { messages } from '../../messages.ts';
import { buttonStyle } from '../controls/button.tsx';

const durationMs = 5_000;
const swipeThresholdPx = 50;

/**
 * Shows toasts below the navigation bar on small screens, and at the bottom right on larger ones. Toasts don't cover
 * main actions. F8 focuses them.
 */
export function Toaster() {
  const { toasts, dismiss } = useToasts();
  const viewport = useRef<HTMLOListElement>(null);
  const offset = useToastOffset(
    viewport,
    toasts.some(({ open }) => open),
  );
  return (
    <Toast.Provider
      label={messages.toast.label}
      duration={durationMs}
      swipeDirection="right"
      swipeThreshold={swipeThresholdPx}
    >
      {toasts.map(({ id, open, title, description, destructive, durationMs: ownMs, action }) => (
        <Toast.Root
          key={id}
          open={open}
          duration={ownMs}
          onOpenChange={(next) => !next && dismiss(id)}
          className="pointer-events-auto relative flex gap-3 rounded-card border border-line bg-surface p-4 pr-12 shadow-layer data-[state=open]:animate-slide-in data-[swipe=cancel]:translate-x-0 data-[swipe=end]:animate-slide-out-right data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
        >
          {destructive ? (
            <CircleAlert aria-hidden="true" strokeWidth={1.75} className="mt-0.5 size-4 shrink-0 text-danger" />
          ) : (
            <CircleCheck aria-hidden="true" strokeWidth={1.75} className="mt-0.5 size-4 shrink-0 text-success" />
          )}
          <div className="grid min-w-0 gap-0.5 text-sm wrap-anywhere">
            <Toast.Title className="font-medium">{title}</Toast.Title>
            {description && <Toast.Description className="text-muted">{description}</Toast.Description>}
            {action && (
              <Toast.Action
                altText={action.label}
                className={buttonStyle({ look: 'secondary', size: 'small', className: 'mt-1.5 justify-self-start' })}
                onClick={action.run}
              >
                {action.label}
              </Toast.Action>
            )}
          </div>
          <Toast.Close
            aria-label={messages.toast.close}
            className="absolute top-2 right-2 grid size-9 place-items-center rounded-control text-muted hover:bg-sunken hover:text-ink"
          >
            <X aria-hidden="true" strokeWidth={1.75} className="size-4" />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport
        ref={viewport}
        style={{ '--toast-offset': `${offset}px` } as CSSProperties}
        className="pointer-events-none fixed inset-x-0 top-(--toast-offset) z-50 flex flex-col gap-2 p-4 md:top-auto md:right-0 md:bottom-(--toast-offset) md:left-auto md:w-full md:max-w-[420px]"
      />
    </Toast.Provider>
  );
}

/** Selector for sticky bars with the main action of a page, and for all primary buttons. */
const actionsSelector = '[data-action-bar], .primary-action';
const navigationSelector = 'header';
/** Media query for screens that show toasts at the bottom right: the `md` breakpoint. */
const wideQuery = '(min-width: 48rem)';

function measureOffset(viewport: HTMLElement): number {
  const { left, right, height } = viewport.getBoundingClientRect();
  const isWide = matchMedia(wideQuery).matches;
  const bar = document.querySelector(navigationSelector)?.getBoundingClientRect();
  return findClearOffset({
    obstacles: [...document.querySelectorAll(actionsSelector)].map((action) => action.getBoundingClientRect()),
    box: { left, right, height },
    height: window.innerHeight,
    from: isWide ? 'bottom' : 'top',
    start: isWide ? 0 : Math.max(0, bar?.bottom ?? 0),
  });
}

/** Returns the distance from the edge of the window at which the toasts don't cover a main action, in pixels. */
function useToastOffset(viewport: RefObject<HTMLElement | null>, shown: boolean): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const element = viewport.current;
    if (!shown || !element) return;
    let frame = 0;
    const place = () => setOffset(measureOffset(element));
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
    // Watches the page, because its content may change while a toast is shown.
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
