import { type RefObject, useEffect, useRef } from 'react';

/** Focuses an element when it appears. */
export function useFocusOnMount<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  return ref;
}
