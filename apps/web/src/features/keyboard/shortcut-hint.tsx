import { keyboardMessages } from '../../lib/shortcuts/messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Kbd } from '../../ui/controls/kbd.tsx';
import { openShortcutSheet } from './sheet-store.ts';

/** Opens the list of shortcuts and shows the key that does so; not where there is only a finger to point. Its words stand in line with links. */
export function ShortcutHint() {
  return (
    <Button look="ghost" className="-mx-4 text-muted pointer-coarse:hidden" onClick={openShortcutSheet}>
      {keyboardMessages.open}
      <Kbd keys="[Shift]+?" />
    </Button>
  );
}
