import { type ReactNode, useEffect, useState } from 'react';

const delayMs = 150;

export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`animate-breathe rounded-control bg-sunken ${className}`} />;
}

/** Renders its children after 150 ms, to avoid flashes. */
export function Delayed({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), delayMs);
    return () => clearTimeout(timer);
  }, []);
  return shown && children;
}
