const reasons = new Set<string>();
const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** Have the browser ask before the page is left, for as long as there is a reason of any name. */
export function holdPage(reason: string, holds: boolean): void {
  if (holds) reasons.add(reason);
  else reasons.delete(reason);
  // A listener that is there already is not added again.
  if (reasons.size > 0) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
}

/** Whether leaving the page would lose something. */
export const isPageHeld = () => reasons.size > 0;

/** Let the page be left: who leaves has been asked. */
export function releasePage(): void {
  reasons.clear();
  window.removeEventListener('beforeunload', ask);
}
