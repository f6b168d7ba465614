import { useNow } from '../../../../lib/browser/use-now.ts';
import type { Draft } from './draft.ts';
import { editorMessages as text } from './messages.ts';
import { useDraftState } from './use-draft.ts';

const tickMs = 1_000;

/** `10 s`, `5 min`, `2 h`, `3 d`. */
function formatAge(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

function SavedAt({ savedAt }: { savedAt: string }) {
  const age = useNow(tickMs) - new Date(savedAt).getTime();
  // The clocks of the server and of the browser may differ.
  return age < 1_000 ? text.savedNow : text.saved(formatAge(age));
}

/** Whether the draft is saved, and why not. */
export function SaveStatus({ draft }: { draft: Draft }) {
  const state = useDraftState(draft, (all) => all);
  if (state.failure)
    return (
      <p role="alert" className="text-danger text-sm wrap-anywhere">
        {`${text.notSaved}: ${state.failure}`}
      </p>
    );
  const isWaiting = state.isDirty || state.isSaving;
  return (
    <p className="text-muted text-sm tabular-nums">
      {isWaiting && (state.isSaving ? text.saving : text.unsaved)}
      {!isWaiting && state.savedAt && <SavedAt savedAt={state.savedAt} />}
    </p>
  );
}
