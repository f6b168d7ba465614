import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { PackCard } from '@uprez/contracts/schemas/plan-card';

/** Query key of the packs on sale. */
export const packsKey = [apiRoutes.listPacks.path] as const;

/** Queries the packs on sale, smallest first. */
export const usePacks = () => useQuery<PackCard[]>({ queryKey: packsKey });
