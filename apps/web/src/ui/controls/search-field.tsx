import { type Ref, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigation, useSearchParams } from 'react-router';
import { useDebounced } from '../../lib/browser/use-debounced.ts';
import { TextField } from './text-field.tsx';

export const searchName = 'search';
const debounceMs = 300;

type SearchFieldProps = { label: string; maxLength: number; ref?: Ref<HTMLInputElement> };

/** Stores its text in the URL after 300 ms without typing. */
export function SearchField({ label, maxLength, ref }: SearchFieldProps) {
  const [params, setParams] = useSearchParams();
  const search = params.get(searchName) ?? '';
  const [typed, setTyped] = useState(search);
  const rested = useDebounced(typed.trim(), debounceMs);
  /** The search text that is in the URL or about to be stored there. */
  const sent = useRef(search);
  const { pathname } = useLocation();
  const next = useNavigation().location;
  const latest = useRef({ setParams, pathname, next });
  useEffect(() => {
    latest.current = { setParams, pathname, next };
  });
  // Runs only when the debounced text changes. If another change to the URL has cleared the search, the text must not
  // be stored again.
  useEffect(() => {
    if (rested === sent.current) return;
    const { setParams, pathname, next } = latest.current;
    // The user has followed a link to a page that is still loading. Changing the URL would lead back to this page.
    if ((next ?? window.location).pathname !== pathname) return;
    sent.current = rested;
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (rested) after.set(searchName, rested);
        else after.delete(searchName);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [rested]);
  useEffect(() => {
    if (search === sent.current) return;
    // The search was changed elsewhere, such as by clearing the filter.
    sent.current = search;
    setTyped(search);
  }, [search]);
  return (
    <TextField
      ref={ref}
      type="search"
      label={label}
      labelHidden
      placeholder={label}
      maxLength={maxLength}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
