import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';

type SearchParamOptions<T extends string> = {
  name: string;
  choices: readonly T[];
  /** The value of a missing or unknown parameter. It is omitted from the URL. */
  fallback: T;
  /** Whether each change adds a history entry. */
  addsHistory?: boolean;
  /** Whether the choice is shown at once, rather than together with what depends on it. */
  isImmediate?: boolean;
};

/** A choice that is stored in the URL: it survives a reload and can be shared. */
export function useSearchParam<T extends string>({
  name,
  choices,
  fallback,
  addsHistory = false,
  isImmediate = false,
}: SearchParamOptions<T>) {
  const [query, setQuery] = useSearchParams();
  const value = choices.find((choice) => choice === query.get(name)) ?? fallback;
  // Radix tabs report a change on press and again on focus, before the URL has changed. One history entry is enough.
  const asked = useRef(value);
  useEffect(() => {
    asked.current = value;
  }, [value]);
  const choose = (choice: T) => {
    if (choice === asked.current) return;
    asked.current = choice;
    setQuery(
      (before) => {
        const after = new URLSearchParams(before);
        if (choice === fallback) after.delete(name);
        else after.set(name, choice);
        return after;
      },
      { replace: !addsHistory, preventScrollReset: true, flushSync: isImmediate },
    );
  };
  return [value, choose] as const;
}
