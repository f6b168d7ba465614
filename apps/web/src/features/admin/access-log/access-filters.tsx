import type { AccessEventView } from '@uprez/contracts/schemas/access-log';
import { ChosenFilters } from '../table/chosen-filters.tsx';
import type { Table } from '../table/use-table.ts';
import { accessMessages } from './messages.ts';

const { filters: text } = accessMessages;

/** The email address of the account that a table is filtered by. */
const nameOf = ({ user, staff }: AccessEventView, id: string) => [user, staff].find((one) => one?.id === id)?.email;

/** The days, and the account, IP address, or API key that was chosen in a row. */
export function AccessFilters({ table }: { table: Table<AccessEventView> }) {
  const { user, address, key } = table.values;
  const row = table.query.data?.pages[0]?.rows[0];
  const chosen = [
    { name: 'user', label: user && text.user((row && nameOf(row, user)) ?? user) },
    { name: 'address', label: address && text.address(address) },
    { name: 'key', label: key && text.key(row?.key?.name ?? key) },
  ];
  return <ChosenFilters table={table} chosen={chosen} />;
}
