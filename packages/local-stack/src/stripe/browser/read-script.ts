import { readFileSync } from 'node:fs';

/** Scripts that run in browsers, as modules. */
const folder = new URL('../../../browser/', import.meta.url);

export const readScript = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/** Returns modules as one script that isn't a module, since pages load Stripe.js as such. Each follows what it imports. */
export function joinScripts(names: readonly string[]): string {
  const bodies = names.map((name) =>
    readScript(name)
      .replaceAll(/^import .*$/gm, '')
      .replaceAll(/^export /gm, ''),
  );
  return `(() => {\n'use strict';\n${bodies.join('\n')}})();\n`;
}
