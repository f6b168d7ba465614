import { type RefObject, useEffect, useRef } from 'react';

/**
 * Returns the ref of an element that is focused on mount. `isWanted`: whether to focus it. Changes after the mount have
 * no effect.
 */
export function useFocusOnMount<E extends HTMLElement>(isWanted = true): RefObject<E | null> {
  const ref = useRef<E>(null);
  const isFirst = useRef(isWanted);
  useEffect(() => {
    if (isFirst.current) ref.current?.focus({ preventScroll: true });
  }, []);
  return ref;
}
