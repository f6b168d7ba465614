import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';

type SearchParamOptions<T extends string> = {
  name: string;
  choices: readonly T[];
  /** The value of a missing or unknown parameter. It is omitted from the URL. */
  fallback: T;
  /** Whether each change adds a history entry. */
  addsHistory?: boolean;
  /**
   * Whether a new choice is returned immediately. Otherwise, it is returned when the URL changes, together with
   * everything else that depends on the URL.
   */
  isImmediate?: boolean;
};

/** Stores a choice in the URL, so that it survives a reload and can be shared. */
export function useSearchParam<T extends string>({
  name,
  choices,
  fallback,
  addsHistory = false,
  isImmediate = false,
}: SearchParamOptions<T>) {
  const [query, setQuery] = useSearchParams();
  const value = choices.find((choice) => choice === query.get(name)) ?? fallback;
  // The last requested choice. Radix tabs report a change twice before the URL changes, on press and on focus. Only one
  // history entry must be added.
  const asked = useRef(value);
  const [ahead, setAhead] = useState<T>();
  useEffect(() => {
    asked.current = value;
    setAhead(undefined);
  }, [value]);
  const choose = (choice: T) => {
    if (choice === asked.current) return;
    asked.current = choice;
    if (isImmediate) setAhead(choice);
    setQuery(
      (before) => {
        const after = new URLSearchParams(before);
        if (choice === fallback) after.delete(name);
        else after.set(name, choice);
        return after;
      },
      { replace: !addsHistory, preventScrollReset: true },
    );
  };
  return [ahead ?? value, choose] as const;
}
