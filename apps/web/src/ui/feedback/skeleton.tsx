import { type ReactNode, useEffect, useState } from 'react';

const delayMs = 150;

/** Holds the place of what is being loaded; `className` gives it the size. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`animate-breathe rounded-control bg-sunken ${className}`} />;
}

/** Its children after 150 ms: what is there sooner never flashes. */
export function Delayed({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), delayMs);
    return () => clearTimeout(timer);
  }, []);
  return shown && children;
}
