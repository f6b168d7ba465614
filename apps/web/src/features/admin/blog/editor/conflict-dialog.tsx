import { formatTime } from '../../../../lib/format/format.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { Dialog } from '../../../../ui/overlays/dialog.tsx';
import { useCategories } from '../queries.ts';
import { ChangesView } from './changes-view.tsx';
import type { Draft } from './draft.ts';
import { listChanges } from './list-changes.ts';
import { editorMessages } from './messages.ts';
import { useDraftState } from './use-draft.ts';

const text = editorMessages.conflict;
const ignore = () => {};

/** Shows both texts after someone else has saved, and asks which one to keep. */
export function ConflictDialog({ draft }: { draft: Draft }) {
  const conflict = useDraftState(draft, (state) => state.conflict);
  const fields = useDraftState(draft, (state) => state.fields);
  const { data: categories = [] } = useCategories();
  if (!conflict) return null;
  return (
    <Dialog
      open
      onOpenChange={ignore}
      title={text.title}
      description={text.text(conflict.by?.firstName || conflict.by?.email || text.someone, formatTime(conflict.at))}
      wide
      locked
    >
      <ChangesView changes={listChanges(conflict.fields, fields, categories)} legend={text.legend} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="secondary" onClick={() => draft.useTheirs()}>
          {text.theirs}
        </Button>
        <Button look="secondary" onClick={() => draft.keepMine()}>
          {text.mine}
        </Button>
      </div>
    </Dialog>
  );
}
