import { AppError } from '@uprez/contracts/errors/app-error';

/** Throws `source_not_allowed` for a URL whose host isn't on the list. `*.example.com` stands for all names below it. */
export function requireAllowedHost(hosts: readonly string[], { hostname }: URL): void {
  const isAllowed = hosts.some((host) =>
    host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host,
  );
  if (!isAllowed) throw new AppError('source_not_allowed');
}
