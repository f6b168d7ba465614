import { shortcuts } from '../../lib/shortcuts.ts';
import { keyboardMessages } from '../../messages/keyboard.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { useShortcutSheet } from './sheet-store.ts';

const scopes = Object.entries(keyboardMessages.scopes);

/** The list of shortcuts, in groups. */
export function ShortcutSheet() {
  const { open } = useShortcutSheet();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => useShortcutSheet.setState({ open: next })}
      title={keyboardMessages.title}
      description={keyboardMessages.note}
    >
      {scopes.map(([scope, name]) => (
        <section key={scope} className="grid gap-1">
          <h3 className="mb-1 text-sm">{name}</h3>
          <dl className="grid">
            {shortcuts
              .filter((shortcut) => shortcut.scope === scope)
              .map(({ id, label, keys }) => (
                <div key={id} className="flex min-h-8 items-center justify-between gap-4 border-line border-t text-sm">
                  <dt>{label}</dt>
                  <dd>
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
