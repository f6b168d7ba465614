import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus to an element when a row is gone that had it. `count`: of the rows. */
export function useFocusWhenFewer<E extends HTMLElement>(count: number): RefObject<E | null> {
  const ref = useRef<E>(null);
  const before = useRef(count);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (count < before.current && isLost) ref.current?.focus({ preventScroll: true });
    before.current = count;
  }, [count]);
  return ref;
}
