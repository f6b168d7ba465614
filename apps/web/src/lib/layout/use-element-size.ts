import { useLayoutEffect, useRef, useState } from 'react';
import type { Size } from '../format/format.ts';

/** The inner size of an element in CSS pixels; undefined before the first layout. */
export function useElementSize<T extends Element>() {
  const ref = useRef<T>(null);
  const [box, setBox] = useState<Size>();
  useLayoutEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setBox(entry.contentRect));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, box };
}
