import type { AccessEventView } from '@uprez/contracts/schemas/access-log';
import { X } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { DayField } from '../audit/day-field.tsx';
import type { Table } from '../table/use-table.ts';
import { accessMessages as text } from './messages.ts';

/** The email address of the account that a table is filtered by. */
const nameOf = ({ user, staff }: AccessEventView, id: string) => [user, staff].find((one) => one?.id === id)?.email;

/** The days, and the account, IP address, or API key that was chosen in a row. */
export function AccessFilters({ table: { values, setValues, query } }: { table: Table<AccessEventView> }) {
  const { from, to, user, address, key } = values;
  const row = query.data?.pages[0]?.rows[0];
  const chosen = [
    { name: 'user', label: user && text.filters.user((row && nameOf(row, user)) ?? user) },
    { name: 'address', label: address && text.filters.address(address) },
    { name: 'key', label: key && text.filters.key(row?.key?.name ?? key) },
  ];
  return (
    <>
      <DayField
        label={text.from}
        value={from}
        onChange={(day) => setValues({ from: day, ...(day && to && day > to && { to: undefined }) })}
      />
      <DayField
        label={text.until}
        value={to}
        onChange={(day) => setValues({ to: day, ...(day && from && day < from && { from: undefined }) })}
      />
      {chosen.map(
        ({ name, label }) =>
          label && (
            <Button
              key={name}
              look="secondary"
              aria-label={text.remove(label)}
              onClick={() => setValues({ [name]: undefined })}
            >
              {label}
              <X aria-hidden="true" strokeWidth={1.75} className="size-4" />
            </Button>
          ),
      )}
    </>
  );
}
