const reasons = new Set<string>();
const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/** Makes the browser ask for confirmation before the page is left, as long as at least one reason is active. */
export function setUnloadGuard(reason: string, holds: boolean): void {
  if (holds) reasons.add(reason);
  else reasons.delete(reason);
  // Adding the same listener again has no effect.
  if (reasons.size > 0) window.addEventListener('beforeunload', preventUnload);
  else window.removeEventListener('beforeunload', preventUnload);
}

export const isUnloadGuarded = () => reasons.size > 0;

/** Removes all reasons, after the user has confirmed. */
export function clearUnloadGuards(): void {
  reasons.clear();
  window.removeEventListener('beforeunload', preventUnload);
}
