import {
  EmptyQueueArt,
  LockedArt,
  NoActivityArt,
  NoKeysArt,
  NotFoundArt,
  OfflineArt,
} from '../../ui/feedback/illustrations.tsx';
import { LogoMark } from '../../ui/layout/logo-mark.tsx';
import { Example, Row } from './example.tsx';
import { devUiMessages as text } from './messages.ts';

const surfaces = ['page', 'surface', 'sunken', 'raised', 'stage', 'line', 'edge', 'ink', 'muted'];
const colors = ['accent', 'accent-strong', 'focus', 'success', 'warning', 'danger', 'done', 'active', 'failed'];
const sizes = ['text-xs', 'text-sm', 'text-base', 'text-lg', 'text-xl', 'text-2xl'];
const art = [EmptyQueueArt, NoActivityArt, NoKeysArt, LockedArt, OfflineArt, NotFoundArt];

export function TokensExample() {
  return (
    <Example section="tokens">
      {[surfaces, colors].map((names) => (
        <Row key={names[0]}>
          {names.map((name) => (
            <div key={name} className="grid w-20 gap-1 text-xs">
              <div className="h-10 rounded-control border border-line" style={{ background: `var(--${name})` }} />
              {name}
            </div>
          ))}
        </Row>
      ))}
      {sizes.map((size) => (
        <p key={size} className={`${size} wrap-anywhere`}>
          {text.sentence}
        </p>
      ))}
    </Example>
  );
}

export function ArtExample() {
  return (
    <Example section="art">
      <Row>
        <LogoMark className="size-16 text-accent" />
        {art.map((Art) => (
          <div key={Art.name} className="text-muted">
            <Art />
          </div>
        ))}
      </Row>
    </Example>
  );
}
