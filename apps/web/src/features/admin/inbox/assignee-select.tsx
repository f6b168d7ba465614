import type { Ticket } from '@uprez/contracts/schemas/tickets';
import { Select } from '../../../ui/controls/select.tsx';
import { inboxMessages as text } from './messages.ts';
import { useAssignees } from './queries.ts';
import { useTicketChange } from './use-ticket-change.ts';

/** The value of an option can't be empty. */
const nobody = 'nobody';

/** Who answers a ticket. */
export function AssigneeSelect({ ticket: { id, assignee } }: { ticket: Ticket }) {
  const change = useTicketChange(id);
  const { data: people = [] } = useAssignees();
  // A former administrator stays until another one is assigned.
  const known = assignee && !people.some((person) => person.id === assignee.id) ? [...people, assignee] : people;
  return (
    <Select
      label={text.assignee}
      value={(change.isPending ? change.variables.assigneeId : assignee?.id) ?? nobody}
      disabled={change.isPending}
      onChange={(chosen) => change.mutate({ assigneeId: chosen === nobody ? null : chosen })}
      options={[
        { value: nobody, label: text.nobody },
        ...known.map((person) => ({
          value: person.id,
          label: person.firstName ?? person.email,
          ...(person.firstName && { hint: person.email }),
        })),
      ]}
    />
  );
}
