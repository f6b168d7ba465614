import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus to an element where a change took what had it: a row that was deleted, a layer over another one. */
export function useFocusWhenLost<E extends HTMLElement>(change: string): RefObject<E | null> {
  const ref = useRef<E>(null);
  const before = useRef(change);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (before.current !== change && isLost) ref.current?.focus({ preventScroll: true });
    before.current = change;
  }, [change]);
  return ref;
}
