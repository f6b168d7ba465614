import { create } from 'zustand';
import { isPageHeld } from '../browser/leave-guard.ts';

/** A sign-out that waits for an answer, because it would lose something. */
export const useSignOutQuestion = create<{ signOut?: (() => void) | undefined }>(() => ({}));

/** Sign out, after a question where leaving the page would lose something. */
export function askBeforeSignOut(signOut: () => void): void {
  if (isPageHeld()) useSignOutQuestion.setState({ signOut });
  else signOut();
}
