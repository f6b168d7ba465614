import { type RefObject, useEffect, useRef } from 'react';
import { isFocusLost } from './is-focus-lost.ts';

/** Returns the ref of an element that is focused when `change` changes and the focused element was removed. */
export function useFocusFallback<E extends HTMLElement>(change: string): RefObject<E | null> {
  const ref = useRef<E>(null);
  const before = useRef(change);
  useEffect(() => {
    if (before.current !== change && isFocusLost()) ref.current?.focus({ preventScroll: true });
    before.current = change;
  }, [change]);
  return ref;
}
