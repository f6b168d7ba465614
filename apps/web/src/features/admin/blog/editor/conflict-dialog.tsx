import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { formatTime } from '../../../../lib/format/format.ts';
import { showToast } from '../../../../lib/notifications/toast-store.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { Dialog } from '../../../../ui/overlays/dialog.tsx';
import { kindNames } from '../kind-names.ts';
import { blogMessages } from '../messages.ts';
import { useCategories } from '../queries.ts';
import { ChangesView } from './changes-view.tsx';
import type { Draft } from './draft.ts';
import { listChanges } from './list-changes.ts';
import { editorMessages } from './messages.ts';
import { useDraftState } from './use-draft.ts';

const text = editorMessages.conflict;
const ignore = () => {};
/** How long a text that was replaced can be brought back. */
const undoMs = 60_000;

/** Shows both texts after someone else has saved, and asks which one to keep. */
export function ConflictDialog({ draft, kind }: { draft: Draft; kind: ArticleKind }) {
  const conflict = useDraftState(draft, (state) => state.conflict);
  const fields = useDraftState(draft, (state) => state.fields);
  const { data: categories = [] } = useCategories(kind);
  if (!conflict) return null;
  const useTheirs = () => {
    const mine = draft.useTheirs();
    showToast({
      title: text.replaced,
      durationMs: undoMs,
      action: { label: blogMessages.undo, run: () => draft.replace(mine) },
    });
  };
  return (
    <Dialog
      open
      onOpenChange={ignore}
      title={text.title(kindNames[kind])}
      description={text.text(conflict.by?.firstName || conflict.by?.email || text.someone, formatTime(conflict.at))}
      wide
      locked
      interrupts
    >
      <ChangesView changes={listChanges(conflict.fields, fields, categories)} legend={text.legend} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="secondary" onClick={useTheirs}>
          {text.theirs}
        </Button>
        <Button look="secondary" onClick={() => draft.keepMine()}>
          {text.mine}
        </Button>
      </div>
    </Dialog>
  );
}
