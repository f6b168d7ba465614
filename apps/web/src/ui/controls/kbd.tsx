import { Fragment } from 'react';
import { toKeyNames } from '../../lib/shortcuts/key-names.ts';

const isMac = /mac|iphone|ipad/i.test(navigator.platform);

/** In the notation of shortcuts.ts: `u`, `g d`, `$mod+k`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-1">
      {toKeyNames(keys, isMac).map((press) => (
        <Fragment key={press.join('+')}>
          {press.map((name) => (
            <kbd
              key={name}
              className="grid h-5 min-w-5 place-items-center rounded-small border border-line bg-sunken px-1 font-mono text-muted text-xs"
            >
              {name}
            </kbd>
          ))}
        </Fragment>
      ))}
    </span>
  );
}
