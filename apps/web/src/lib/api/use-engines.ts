import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { Engine } from '@uprez/contracts/schemas/engine-list';

/** The engines of the workers, with their measured speed. */
export const useEngines = () => useQuery<Engine[]>({ queryKey: [routes.listEngines.path] });
