import { MoreHorizontal, Settings, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { openShortcutSheet } from '../../features/keyboard/sheet-store.ts';
import { announce } from '../../lib/announce.ts';
import { showToast } from '../../lib/toast-store.ts';
import { devUiMessages as text } from '../../messages/dev-ui.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Example, Row } from './example.tsx';

type Layer = 'dialog' | 'wide' | 'locked' | 'confirm' | 'typed' | 'sheet';
const layers: Layer[] = ['dialog', 'wide', 'locked', 'confirm', 'typed', 'sheet'];
const nothing = () => {};
const long = 30_000;

function Layers({ layer, close }: { layer: Layer | undefined; close: () => void }) {
  const shared = { title: text.title, onOpenChange: close };
  const question = { ...shared, text: text.sentence, confirm: text.danger, onConfirm: close };
  return (
    <>
      {(['dialog', 'wide', 'locked'] as const).map((kind) => (
        <Dialog
          key={kind}
          {...shared}
          open={layer === kind}
          description={text.sentence}
          wide={kind === 'wide'}
          locked={kind === 'locked'}
        >
          <TextField label={text.name} />
          <Button onClick={close}>{text.word}</Button>
        </Dialog>
      ))}
      <ConfirmDialog {...question} open={layer === 'confirm'} />
      <ConfirmDialog {...question} open={layer === 'typed'} typed={text.typed} />
      <Sheet {...shared} open={layer === 'sheet'}>
        <TextField label={text.name} />
      </Sheet>
    </>
  );
}

export function LayersExample() {
  const [layer, setLayer] = useState<Layer>();
  const toast = { title: text.title, description: text.sentence };
  const items = [
    { label: text.word, icon: Settings, onSelect: nothing },
    { label: text.name, onSelect: nothing, disabled: true },
    { label: text.danger, icon: Trash2, onSelect: nothing, danger: true },
  ];
  return (
    <Example section="layers">
      <Row>
        {layers.map((kind) => (
          <Button key={kind} look="secondary" onClick={() => setLayer(kind)}>
            {text.open[kind]}
          </Button>
        ))}
        <Menu
          label={text.open.menu}
          trigger={<IconButton label={text.open.menu} icon={MoreHorizontal} />}
          items={items}
        />
        <Popover trigger={<Button look="secondary">{text.open.popover}</Button>}>{text.sentence}</Popover>
        <Button look="secondary" onClick={() => showToast(toast)}>
          {text.open.toast}
        </Button>
        <Button look="secondary" onClick={() => showToast({ ...toast, destructive: true })}>
          {text.open.failure}
        </Button>
        <Button look="secondary" onClick={() => showToast({ ...toast, durationMs: long })}>
          {text.open.long}
        </Button>
        <Button look="secondary" onClick={() => announce(text.sentence)}>
          {text.open.announce}
        </Button>
        <Button look="secondary" onClick={openShortcutSheet}>
          {text.open.shortcuts}
        </Button>
      </Row>
      <Layers layer={layer} close={() => setLayer(undefined)} />
    </Example>
  );
}
