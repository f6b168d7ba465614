import { type RefObject, useEffect, useRef } from 'react';

export function useFocusOnMount<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  return ref;
}
