import { type Editor, useEditorState } from '@tiptap/react';
import {
  Bold,
  ChevronDown,
  Code,
  Heading2,
  Heading3,
  Heading4,
  Image,
  Italic,
  Link,
  List,
  ListOrdered,
  ListTodo,
  type LucideIcon,
  Minus,
  Redo2,
  SquareCode,
  Strikethrough,
  Table,
  TextQuote,
  Undo2,
} from 'lucide-react';
import { Toolbar } from 'radix-ui';
import { useMemo } from 'react';
import { toKeyNames } from '../../../../lib/shortcuts/key-names.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { Tooltip } from '../../../../ui/controls/tooltip.tsx';
import { Menu } from '../../../../ui/overlays/menu.tsx';
import { blogTextMessages as text } from './messages.ts';

export function RichToolbar({ editor, onLink, onImage }: { editor: Editor } & ToolbarHandlers) {
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

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

const describeKeys = (keys: string) =>
  toKeyNames(keys, isMac)
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
        // Keeps the selection in the text, which pressing the mouse button would clear.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => run(editor)}
        className="grid size-8 place-items-center rounded-small text-muted hover:bg-sunken hover:text-ink disabled:opacity-50 aria-pressed:bg-sunken aria-pressed:text-ink pointer-coarse:size-11"
      >
        <Icon aria-hidden="true" strokeWidth={1.75} className="size-4" />
      </Toolbar.Button>
    </Tooltip>
  );
}

type ToolbarState = ReturnType<typeof useToolbarState>;

type ToolbarItem = {
  label: string;
  icon: LucideIcon;
  /** Keyboard shortcut, in tinykeys syntax. */
  keys?: string;
  run: (editor: Editor) => void;
  /** Whether the format is active. Undefined for items that aren't toggles. */
  isOn?: (state: ToolbarState) => boolean;
  isDisabled?: (state: ToolbarState) => boolean;
};

const startFocusedChain = (editor: Editor) => editor.chain().focus();

const headingIcons = { 2: Heading2, 3: Heading3, 4: Heading4 } as const;

const headingItems = ([2, 3, 4] as const).map(
  (level): ToolbarItem => ({
    label: text.heading(level),
    icon: headingIcons[level],
    keys: `$mod+Alt+${level}`,
    run: (editor) => startFocusedChain(editor).toggleHeading({ level }).run(),
    isOn: (state) => state.headings.includes(level),
  }),
);

const historyItems: readonly ToolbarItem[] = [
  {
    ...{ label: text.undo, icon: Undo2, keys: '$mod+Z' },
    run: (editor) => startFocusedChain(editor).undo().run(),
    isDisabled: (state) => !state.canUndo,
  },
  {
    ...{ label: text.redo, icon: Redo2, keys: '$mod+Shift+Z' },
    run: (editor) => startFocusedChain(editor).redo().run(),
    isDisabled: (state) => !state.canRedo,
  },
];

const markItems: readonly ToolbarItem[] = [
  {
    ...{ label: text.bold, icon: Bold, keys: '$mod+B' },
    run: (editor) => startFocusedChain(editor).toggleBold().run(),
    isOn: (state) => state.bold,
  },
  {
    ...{ label: text.italic, icon: Italic, keys: '$mod+I' },
    run: (editor) => startFocusedChain(editor).toggleItalic().run(),
    isOn: (state) => state.italic,
  },
  {
    ...{ label: text.strike, icon: Strikethrough, keys: '$mod+Shift+S' },
    run: (editor) => startFocusedChain(editor).toggleStrike().run(),
    isOn: (state) => state.strike,
  },
  {
    ...{ label: text.code, icon: Code, keys: '$mod+E' },
    run: (editor) => startFocusedChain(editor).toggleCode().run(),
    isOn: (state) => state.code,
  },
];

const blockItems: readonly ToolbarItem[] = [
  {
    ...{ label: text.bulletList, icon: List, keys: '$mod+Shift+8' },
    run: (editor) => startFocusedChain(editor).toggleBulletList().run(),
    isOn: (state) => state.bulletList,
  },
  {
    ...{ label: text.orderedList, icon: ListOrdered, keys: '$mod+Shift+7' },
    run: (editor) => startFocusedChain(editor).toggleOrderedList().run(),
    isOn: (state) => state.orderedList,
  },
  {
    ...{ label: text.taskList, icon: ListTodo, keys: '$mod+Shift+9' },
    run: (editor) => startFocusedChain(editor).toggleTaskList().run(),
    isOn: (state) => state.taskList,
  },
  {
    ...{ label: text.quote, icon: TextQuote, keys: '$mod+Shift+B' },
    run: (editor) => startFocusedChain(editor).toggleBlockquote().run(),
    isOn: (state) => state.blockquote,
  },
  {
    ...{ label: text.codeBlock, icon: SquareCode, keys: '$mod+Alt+C' },
    run: (editor) => startFocusedChain(editor).toggleCodeBlock().run(),
    isOn: (state) => state.codeBlock,
  },
];

const insertionItems: readonly ToolbarItem[] = [
  {
    ...{ label: text.table, icon: Table },
    run: (editor) => startFocusedChain(editor).insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
    // A Markdown table can't contain another table.
    isDisabled: (state) => state.table,
  },
  { label: text.rule, icon: Minus, run: (editor) => startFocusedChain(editor).setHorizontalRule().run() },
];

type ToolbarHandlers = { onLink: () => void; onImage: () => void };

const makeToolbarItems = ({ onLink, onImage }: ToolbarHandlers): readonly (readonly ToolbarItem[])[] => [
  historyItems,
  headingItems,
  [...markItems, { label: text.link, icon: Link, keys: '$mod+K', run: onLink, isOn: (state) => state.link }],
  blockItems,
  [{ label: text.image, icon: Image, run: onImage }, ...insertionItems],
];

const tableItems: readonly { label: string; run: (editor: Editor) => void }[] = [
  { label: text.rowAbove, run: (editor) => startFocusedChain(editor).addRowBefore().run() },
  { label: text.rowBelow, run: (editor) => startFocusedChain(editor).addRowAfter().run() },
  { label: text.columnBefore, run: (editor) => startFocusedChain(editor).addColumnBefore().run() },
  { label: text.columnAfter, run: (editor) => startFocusedChain(editor).addColumnAfter().run() },
  { label: text.deleteRow, run: (editor) => startFocusedChain(editor).deleteRow().run() },
  { label: text.deleteColumn, run: (editor) => startFocusedChain(editor).deleteColumn().run() },
  { label: text.deleteTable, run: (editor) => startFocusedChain(editor).deleteTable().run() },
];

const useToolbarState = (editor: Editor) =>
  useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      headings: [2, 3, 4].filter((level) => current.isActive('heading', { level })),
      bold: current.isActive('bold'),
      italic: current.isActive('italic'),
      strike: current.isActive('strike'),
      code: current.isActive('code'),
      link: current.isActive('link'),
      bulletList: current.isActive('bulletList'),
      orderedList: current.isActive('orderedList'),
      taskList: current.isActive('taskList'),
      blockquote: current.isActive('blockquote'),
      codeBlock: current.isActive('codeBlock'),
      table: current.isActive('table'),
      canUndo: current.can().undo(),
      canRedo: current.can().redo(),
    }),
  });
