import { useQuery } from '@tanstack/react-query';
import type { Engine } from '@uprez/contracts/engine-list';
import { routes } from '@uprez/contracts/routes';

/** The engines that the workers have, with their measured speed. */
export const useEngines = () => useQuery<Engine[]>({ queryKey: [routes.listEngines.path] });
