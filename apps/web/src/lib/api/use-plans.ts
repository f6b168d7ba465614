import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';

/** The plans on sale, smallest first. */
export const usePlans = () => useQuery<PlanCard[]>({ queryKey: [routes.listPlans.path] });
