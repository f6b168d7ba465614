import { articleFilters } from '@uprez/contracts/policy/articles';
import { Segmented } from '../../../../ui/controls/segmented.tsx';
import { allChoices, type Table } from '../../table/use-table.ts';
import { blogMessages as text } from '../messages.ts';

const options = [
  { value: allChoices, label: text.allStatuses },
  ...articleFilters.map((value) => ({ value, label: text.statuses[value] })),
];

/** The statuses as a row of chips: one press filters the list. */
export const StatusChips = ({ filter }: { filter: Table<unknown>['filters'][number] }) => (
  <div className="w-full sm:w-[30rem]">
    <Segmented legend={text.status} legendHidden options={options} value={filter.value} onChange={filter.set} />
  </div>
);
