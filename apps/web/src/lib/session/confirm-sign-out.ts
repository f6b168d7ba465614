import { create } from 'zustand';
import { isUnloadGuarded } from '../browser/unload-guard.ts';

export const useSignOutConfirmation = create<{ signOut?: (() => void) | undefined }>(() => ({}));

/** Signs out; asks for confirmation first if leaving the page would lose data. */
export function confirmSignOut(signOut: () => void): void {
  if (isUnloadGuarded()) useSignOutConfirmation.setState({ signOut });
  else signOut();
}
