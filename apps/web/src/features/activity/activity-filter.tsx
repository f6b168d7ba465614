import { jobStatuses } from '@uprez/contracts/policy/job-status';
import { limits } from '@uprez/contracts/policy/limits';
import { useSearchParams } from 'react-router';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { SearchField, searchName } from '../../ui/controls/search-field.tsx';
import { Select } from '../../ui/controls/select.tsx';

import { activityMessages as text } from './messages.ts';
import type { ActivityFilter } from './use-activity.ts';

const choices = ['all', ...jobStatuses] as const;
const options = choices.map((value) => ({ value, label: value === 'all' ? text.all : text.statuses[value] }));
const statusName = 'status';

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

export function ActivityFilterFields() {
  const [status, setStatus] = useStatus();
  return (
    <div className="flex flex-wrap gap-3">
      <div className="w-52 max-sm:w-full">
        <SearchField label={text.search} maxLength={limits.searchLength} />
      </div>
      <div className="w-44 max-sm:w-full">
        <Select label={text.filter} labelHidden value={status} onChange={setStatus} options={options} />
      </div>
    </div>
  );
}
