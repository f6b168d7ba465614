import { jobStatuses } from '@uprez/contracts/policy/job-status';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { Select } from '../../ui/controls/select.tsx';
import { activityMessages as text } from './messages.ts';

const choices = ['all', ...jobStatuses] as const;
const options = choices.map((value) => ({ value, label: value === 'all' ? text.all : text.statuses[value] }));

export const useActivityFilter = () => useSearchParam({ name: 'status', choices, fallback: 'all' });

export function ActivityFilter() {
  const [choice, choose] = useActivityFilter();
  return (
    <div className="w-44">
      <Select label={text.filter} labelHidden value={choice} onChange={choose} options={options} />
    </div>
  );
}
