import { useEffect, useState } from 'react';

/** Returns the value once it hasn't changed for `quietMs`. */
export function useDebounced<T>(value: T, quietMs: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), quietMs);
    return () => clearTimeout(timer);
  }, [value, quietMs]);
  return rested;
}
