import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import * as z from 'zod';
import { adminRoutes } from './admin-calls.ts';

/** Fields of the query of an endpoint. */
export function queryOf(name: RouteName): Record<string, z.ZodType> {
  const endpoint = endpoints[name];
  return 'query' in endpoint && endpoint.query instanceof z.ZodObject ? endpoint.query.shape : {};
}

/** The values of an optional field that is an enum. */
export const valuesOf = (field: z.ZodType | undefined): string[] =>
  field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodEnum
    ? (field.unwrap() as z.ZodEnum).options.map(String)
    : [];

/** Endpoints of administrators that read rows: their queries have a length, a period, or a format. */
export const adminLists = adminRoutes.filter(
  (name) => routes[name].method === 'GET' && ['limit', 'period', 'format'].some((field) => field in queryOf(name)),
);

/** Lists with an export: the export is at the path of the list, followed by `/export`. */
export const exportedLists = adminLists.flatMap((list) => {
  const path = `${routes[list].path}/export`;
  const exported = adminLists.find((name) => routes[name].path === path);
  return exported && 'limit' in queryOf(list) ? [{ list, exported }] : [];
});
