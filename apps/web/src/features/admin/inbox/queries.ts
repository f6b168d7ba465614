import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { Assignee, Ticket } from '@uprez/contracts/schemas/tickets';
import { adminApi } from '../admin-api.ts';

/** Query key of the list. The key of each ticket begins with it, so changes to a ticket refetch both. */
export const ticketsKey = [adminRoutes.adminListTickets.path] as const;

/** A ticket with its conversation. */
export const useTicket = (id: string) =>
  useQuery<Ticket>({
    queryKey: [...ticketsKey, encodeURIComponent(id)],
    refetchOnMount: 'always',
  });

/** Loads the administrators that a ticket can be assigned to. */
export const useAssignees = () =>
  useQuery<Assignee[]>({
    queryKey: [adminRoutes.adminListAssignees.path],
    queryFn: async ({ signal }) => (await adminApi.adminListAssignees({ signal })).data,
  });
