import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus to an element when it appears, where what had it before has gone. */
export function useFocus<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  return ref;
}
