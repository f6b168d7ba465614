import { jobStatuses } from '@uprez/contracts/policy/job-status';
import { useUrlChoice } from '../../lib/browser/use-url-choice.ts';
import { activityMessages as text } from '../../messages/dashboard.ts';
import { Select } from '../../ui/controls/select.tsx';

const choices = ['all', ...jobStatuses] as const;
const options = choices.map((value) => ({ value, label: value === 'all' ? text.all : text.statuses[value] }));

/** The status that the list is narrowed to, and how to choose another; it is in the address. */
export const useActivityFilter = () => useUrlChoice({ name: 'status', choices, fallback: 'all' });

/** Narrows the list of jobs to one status. */
export function ActivityFilter() {
  const [choice, choose] = useActivityFilter();
  return (
    <div className="w-44">
      <Select label={text.filter} labelHidden value={choice} onChange={choose} options={options} />
    </div>
  );
}
