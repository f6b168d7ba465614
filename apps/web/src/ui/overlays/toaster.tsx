import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { type CSSProperties, useEffect, useState } from 'react';
import { useToasts } from '../../lib/notifications/toast-store.ts';
import { messages } from '../../messages.ts';

type Edges = { top: number; bottom: number; right: number };
type Room = { width: number; height: number };

/** In pixels. */
const toast: Room = { width: 420, height: 140 };

/** Distance of a toast from the bottom of the window, in pixels, so that it covers no action bar. */
export function toastOffset(bars: readonly Edges[], { width, height }: Room): number {
  let clear = 0;
  for (const { top, bottom, right } of bars.toSorted((one, other) => other.bottom - one.bottom)) {
    const isBeside = right <= width - toast.width;
    const isAway = top >= height - clear || bottom <= height - clear - toast.height;
    // The toast needs room above the bar.
    if (!isBeside && !isAway && top >= toast.height) clear = height - top;
  }
  return clear;
}

/** Sticky bars with the main action of a page have this attribute. */
const findBars = () => [...document.querySelectorAll('[data-action-bar]')].map((bar) => bar.getBoundingClientRect());

function useToastOffset(shown: boolean): number {
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

const durationMs = 5_000;
const swipeThresholdPx = 50;

/** Shows toasts: at the top on small screens, else at the bottom right above action bars. F8 focuses them. */
export function Toaster() {
  const { toasts, dismiss } = useToasts();
  const clear = useToastOffset(toasts.some(({ open }) => open));
  return (
    <Toast.Provider
      label={messages.toast.label}
      duration={durationMs}
      swipeDirection="right"
      swipeThreshold={swipeThresholdPx}
    >
      {toasts.map(({ id, open, title, description, destructive, durationMs: ownMs }) => (
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
        style={{ '--toast-bottom': `${clear}px` } as CSSProperties}
        className="pointer-events-none fixed inset-x-0 top-0 z-50 flex flex-col gap-2 p-4 md:top-auto md:right-0 md:bottom-(--toast-bottom) md:left-auto md:w-full md:max-w-[420px]"
      />
    </Toast.Provider>
  );
}
