import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { adminApi } from '../admin-api.ts';

/** Query keys affected by a change to an incident or an override. */
export const statusKeys = [
  [adminRoutes.adminListIncidents.path],
  [adminRoutes.adminListServices.path],
  [adminRoutes.adminNotices.path],
  [apiRoutes.getStatus.path],
] as const;

/** Polls the services while the page is open. */
export const useServices = () =>
  useQuery({
    queryKey: [adminRoutes.adminListServices.path],
    queryFn: async ({ signal }) => (await adminApi.adminListServices({ signal })).data,
    refetchInterval: 60_000,
  });
