import { type Ref, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigation, useSearchParams } from 'react-router';
import { useDebounced } from '../../lib/browser/use-debounced.ts';
import { TextField } from './text-field.tsx';

/** Name of the parameter in the URL. */
export const searchName = 'search';
const quietMs = 300;

type SearchFieldProps = { label: string; maxLength: number; ref?: Ref<HTMLInputElement> };

/** The text that a list is searched for. It is stored in the URL when nothing was typed for 300 ms. */
export function SearchField({ label, maxLength, ref }: SearchFieldProps) {
  const [params, setParams] = useSearchParams();
  const search = params.get(searchName) ?? '';
  const [typed, setTyped] = useState(search);
  const rested = useDebounced(typed.trim(), quietMs);
  /** The text that the URL has or is about to have. */
  const sent = useRef(search);
  const { pathname } = useLocation();
  const next = useNavigation().location;
  const latest = useRef({ setParams, pathname, next });
  useEffect(() => {
    latest.current = { setParams, pathname, next };
  });
  // Not after other changes of the URL: the text that rested last may have been cleared since.
  useEffect(() => {
    if (rested === sent.current) return;
    const { setParams, pathname, next } = latest.current;
    // A link was followed while its page is still loading. A change of the URL would lead back to this page.
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
    // It was changed elsewhere, such as by clearing the filter.
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
