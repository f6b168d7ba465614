import { keyboardMessages } from '../../lib/shortcuts/shortcuts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Kbd } from '../../ui/controls/kbd.tsx';
import { openShortcutSheet } from './sheet-store.ts';

/** Opens the list of shortcuts. Hidden on touch screens. Negative margins align its text with the links beside it. */
export function ShortcutHint() {
  return (
    <Button look="ghost" className="-mx-4 text-muted pointer-coarse:hidden" onClick={openShortcutSheet}>
      {keyboardMessages.title}
      <Kbd keys="[Shift]+?" />
    </Button>
  );
}
