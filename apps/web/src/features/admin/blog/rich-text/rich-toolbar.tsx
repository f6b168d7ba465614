import type { Editor } from '@tiptap/react';
import { ChevronDown } from 'lucide-react';
import { Toolbar } from 'radix-ui';
import { useMemo } from 'react';
import { keyNames } from '../../../../lib/shortcuts/key-names.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { Tooltip } from '../../../../ui/controls/tooltip.tsx';
import { Menu } from '../../../../ui/overlays/menu.tsx';
import { blogTextMessages as text } from './messages.ts';
import { makeToolbarItems, type ToolbarItem, type ToolbarQuestions, tableItems } from './toolbar-items.ts';
import { useToolbarState } from './use-toolbar-state.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const describeKeys = (keys: string) =>
  keyNames(keys, isMac)
    .map((press) => press.join('+'))
    .join(' ');

type ItemProps = { item: ToolbarItem; editor: Editor; state: ReturnType<typeof useToolbarState> };

function ItemButton({ item: { label, icon: Icon, keys, run, isOn, isDisabled }, editor, state }: ItemProps) {
  return (
    <Tooltip text={keys ? `${label} (${describeKeys(keys)})` : label}>
      <Toolbar.Button
        aria-label={label}
        aria-pressed={isOn?.(state)}
        disabled={isDisabled?.(state)}
        // The selection in the text stays.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => run(editor)}
        className="grid size-8 place-items-center rounded-small text-muted hover:bg-sunken hover:text-ink disabled:opacity-50 aria-pressed:bg-sunken aria-pressed:text-ink pointer-coarse:size-11"
      >
        <Icon aria-hidden="true" strokeWidth={1.75} className="size-4" />
      </Toolbar.Button>
    </Tooltip>
  );
}

/** The formats of the editor. The arrow keys move inside of it. */
export function RichToolbar({ editor, onLink, onImage }: { editor: Editor } & ToolbarQuestions) {
  const state = useToolbarState(editor);
  const groups = useMemo(() => makeToolbarItems({ onLink, onImage }), [onLink, onImage]);
  return (
    <Toolbar.Root
      aria-label={text.toolbar}
      className="sticky top-14 z-10 lg:top-29.5 flex flex-wrap items-center gap-0.5 rounded-t-control border-line border-b bg-surface p-1"
    >
      {groups.map((items, index) => (
        <div key={items[0]?.label} className="flex items-center gap-0.5">
          {index > 0 && <Toolbar.Separator className="mx-1 h-5 w-px bg-line max-sm:hidden" />}
          {items.map((item) => (
            <ItemButton key={item.label} item={item} editor={editor} state={state} />
          ))}
        </div>
      ))}
      {state.table && (
        <Menu
          label={text.tableMenu}
          trigger={
            <Button look="ghost" size="small">
              {text.tableMenu}
              <ChevronDown aria-hidden="true" strokeWidth={1.75} className="size-4" />
            </Button>
          }
          items={tableItems.map(({ label, run }) => ({ label, onSelect: () => run(editor) }))}
        />
      )}
    </Toolbar.Root>
  );
}
