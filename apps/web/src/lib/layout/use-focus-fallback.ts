import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus to an element when `change` changes and the focused element was removed. */
export function useFocusFallback<E extends HTMLElement>(change: string): RefObject<E | null> {
  const ref = useRef<E>(null);
  const before = useRef(change);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (before.current !== change && isLost) ref.current?.focus({ preventScroll: true });
    before.current = change;
  }, [change]);
  return ref;
}
