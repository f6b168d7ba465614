import { limits } from '@uprez/contracts/policy/limits';
import { nextPath } from '@uprez/contracts/policy/next-path';
import { paths } from '../../site-map.ts';

/**
 * Returns the path of the page that a link in an email opens afterward. Returns undefined for the home page, and for
 * paths that are too long for a link.
 */
export function keepNext(next: string | null | undefined): string | undefined {
  const path = nextPath(next);
  return path === paths.home || path.length > limits.nextLength ? undefined : path;
}
