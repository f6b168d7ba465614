const key = 'uprez.consent';
export type Choice = 'accepted' | 'declined';

/** What the visitor answered; undefined before an answer, and without storage. */
export function readChoice(): Choice | undefined {
  try {
    const stored = localStorage.getItem(key);
    return stored === 'accepted' || stored === 'declined' ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Without storage, the visitor is asked again on the next page. */
export function storeChoice(isAccepted: boolean): void {
  try {
    localStorage.setItem(key, isAccepted ? 'accepted' : 'declined');
  } catch {}
}
