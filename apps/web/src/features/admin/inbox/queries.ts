import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { Assignee, Ticket } from '@uprez/contracts/schemas/tickets';
import { adminApi } from '../admin-api.ts';

/** Begins like the key of the list, so changes of a ticket refetch both. */
export const ticketsKey = [adminRoutes.adminListTickets.path] as const;

/** A ticket with its conversation. */
export const useTicket = (id: string) =>
  useQuery<Ticket>({
    queryKey: [...ticketsKey, encodeURIComponent(id)],
    refetchOnMount: 'always',
  });

/** Who can be assigned. */
export const useAssignees = () =>
  useQuery<Assignee[]>({
    queryKey: [adminRoutes.adminListAssignees.path],
    queryFn: async ({ signal }) => (await adminApi.adminListAssignees({ signal })).data,
  });
