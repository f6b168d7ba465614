import { useQuery } from '@tanstack/react-query';
import type { PlanCard } from '@uprez/contracts/plan-card';
import { routes } from '@uprez/contracts/routes';

/** The plans with what they offer, as they are sold now; the smallest first. */
export const usePlans = () => useQuery<PlanCard[]>({ queryKey: [routes.listPlans.path] });
