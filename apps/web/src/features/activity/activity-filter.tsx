import { jobStatuses } from '@uprez/contracts/policy/job-status';
import { limits } from '@uprez/contracts/policy/limits';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useDebounced } from '../../lib/browser/use-debounced.ts';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { Select } from '../../ui/controls/select.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { activityMessages as text } from './messages.ts';
import type { ActivityFilter } from './use-activity.ts';

const choices = ['all', ...jobStatuses] as const;
const options = choices.map((value) => ({ value, label: value === 'all' ? text.all : text.statuses[value] }));
const statusName = 'status';
const searchName = 'search';
const quietMs = 300;

const useStatus = () => useSearchParam({ name: statusName, choices, fallback: 'all' });

/** The filter of the list, which is stored in the URL, and a function that clears it. */
export function useActivityFilter(): ActivityFilter & { clear: () => void } {
  const [params, setParams] = useSearchParams();
  const [status] = useStatus();
  const clear = () =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const name of [statusName, searchName]) after.delete(name);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  return { status: status === 'all' ? undefined : status, search: params.get(searchName) ?? '', clear };
}

function SearchField() {
  const [params, setParams] = useSearchParams();
  const search = params.get(searchName) ?? '';
  const [typed, setTyped] = useState(search);
  const rested = useDebounced(typed.trim(), quietMs);
  /** The text that the URL has or is about to have. */
  const sent = useRef(search);
  useEffect(() => {
    if (rested === sent.current) return;
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
  }, [rested, setParams]);
  useEffect(() => {
    if (search === sent.current) return;
    // It was changed elsewhere, such as by clearing the filter.
    sent.current = search;
    setTyped(search);
  }, [search]);
  return (
    <TextField
      type="search"
      label={text.search}
      labelHidden
      placeholder={text.search}
      maxLength={limits.searchLength}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}

export function ActivityFilterFields() {
  const [status, setStatus] = useStatus();
  return (
    <div className="flex flex-wrap gap-3">
      <div className="w-52 max-sm:w-full">
        <SearchField />
      </div>
      <div className="w-44 max-sm:w-full">
        <Select label={text.filter} labelHidden value={status} onChange={setStatus} options={options} />
      </div>
    </div>
  );
}
