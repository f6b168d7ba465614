import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { PackCard } from '@uprez/contracts/schemas/plan-card';

export const packsKey = [apiRoutes.listPacks.path] as const;

/** Queries the packs that can be bought, smallest first. */
export const usePacks = () => useQuery<PackCard[]>({ queryKey: packsKey });
