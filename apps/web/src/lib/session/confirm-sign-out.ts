import { create } from 'zustand';
import { isPageHeld } from '../browser/leave-guard.ts';

/** The sign-out that waits for confirmation. */
export const useSignOutConfirmation = create<{ signOut?: (() => void) | undefined }>(() => ({}));

/** Signs out; asks for confirmation first if leaving the page would lose data. */
export function confirmSignOut(signOut: () => void): void {
  if (isPageHeld()) useSignOutConfirmation.setState({ signOut });
  else signOut();
}
