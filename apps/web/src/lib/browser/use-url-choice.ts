import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';

type UrlChoice<T extends string> = {
  /** The name of the query parameter. */
  name: string;
  choices: readonly T[];
  /** What a missing or an unknown value means; it is left out of the address. */
  fallback: T;
  /** Whether the browser's Back leads to the choice before. */
  remembered?: boolean;
};

/** A choice that lives in the address: it survives a reload and can be sent to others. */
export function useUrlChoice<T extends string>({ name, choices, fallback, remembered = false }: UrlChoice<T>) {
  const [query, setQuery] = useSearchParams();
  const value = choices.find((choice) => choice === query.get(name)) ?? fallback;
  // Tabs say what was chosen at the press and again with the focus, before the address has changed: one step back is enough.
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
      { replace: !remembered, preventScrollReset: true },
    );
  };
  return [value, choose] as const;
}
