import { Settings, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, linkStyle } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Kbd } from '../../ui/controls/kbd.tsx';
import { Example, Row } from './example.tsx';
import { devUiMessages as text } from './messages.ts';

const looks = ['primary', 'secondary', 'ghost', 'danger'] as const;

export function ButtonsExample() {
  const [pending, setPending] = useState(false);
  const toggle = () => setPending(!pending);
  return (
    <Example section="buttons">
      {([undefined, 'small'] as const).map((size) => (
        <Row key={size ?? 'normal'}>
          {looks.map((look) => (
            <Button key={look} look={look} size={size}>
              {text.word}
            </Button>
          ))}
          <Button size={size} disabled>
            {text.word}
          </Button>
          <Button size={size} pending={pending} pendingText={text.pending} onClick={toggle}>
            {text.word}
          </Button>
          <Button size={size} look="secondary" pending onClick={toggle}>
            {text.word}
          </Button>
        </Row>
      ))}
      <Row>
        <IconButton label={text.word} icon={Settings} />
        <IconButton label={text.word} icon={Settings} look="secondary" />
        <IconButton label={text.danger} icon={Trash2} look="danger" />
        <IconButton label={text.word} icon={Settings} disabled />
        <CopyButton text={text.sentence} label={text.name} />
        <button type="button" className={linkStyle}>
          {text.word}
        </button>
        <Kbd keys="$mod+k" />
        <Kbd keys="g d" />
        <Kbd keys="[Shift]++" />
      </Row>
      <div className="max-w-80">
        <Button size="wide">{text.word}</Button>
      </div>
    </Example>
  );
}
