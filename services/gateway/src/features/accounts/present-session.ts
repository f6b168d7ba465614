import type { SessionView } from '@uprez/contracts/schemas/account';
import type { Session } from '@uprez/domain/accounts/sessions';

/** A session as its owner sees it; `currentId`: that of the request. */
export function presentSession(session: Session, currentId: string): SessionView {
  return {
    id: session.id,
    isCurrent: session.id === currentId,
    userAgent: session.userAgent,
    address: session.address,
    createdAt: session.createdAt.toISOString(),
    lastSeenAt: session.lastSeenAt.toISOString(),
  };
}
