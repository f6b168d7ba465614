import { uploadErrors } from '@uprez/contracts/errors/error-groups';
import type { AdminJob } from '@uprez/contracts/schemas/admin-jobs';
import { Select } from '../../../ui/controls/select.tsx';
import { ChosenFilters } from '../table/chosen-filters.tsx';
import { allChoices, type Table } from '../table/use-table.ts';
import { jobsMessages } from './messages.ts';

const text = jobsMessages.list;

/** The error, the days on which jobs finished, and the account that was chosen in a row or by a link. */
export function JobFilters({ table: { values, setValues, query } }: { table: Table<AdminJob> }) {
  const { error, account } = values;
  const row = query.data?.pages[0]?.rows[0]?.account;
  const label = account && text.accountFilter(row?.id === account ? (row.name ?? row.email) : account);
  const codes = new Set<string>(error ? [...uploadErrors, error] : uploadErrors);
  return (
    <>
      <div className="w-52 max-sm:min-w-32 max-sm:flex-1">
        <Select
          label={text.error}
          labelHidden
          value={error ?? allChoices}
          onChange={(code) => setValues({ error: code === allChoices ? undefined : code })}
          options={[
            { value: allChoices, label: text.allErrors },
            ...[...codes].toSorted().map((code) => ({ value: code, label: code })),
          ]}
        />
      </div>
      <ChosenFilters table={{ values, setValues }} chosen={[{ name: 'account', label }]} days={text.days} />
    </>
  );
}
