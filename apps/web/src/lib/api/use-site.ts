import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { Site } from '@uprez/contracts/schemas/site';

/** Public settings of the site: name, contact, and password policy. */
export const useSite = () => useQuery<Site>({ queryKey: [routes.site.path] });
