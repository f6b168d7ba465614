import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { Site } from '@uprez/contracts/schemas/site';

/** What the site tells everybody of itself: its name, where to write, what a new password needs. */
export const useSite = () => useQuery<Site>({ queryKey: [routes.site.path] });
