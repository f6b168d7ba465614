import { readFileSync } from 'node:fs';

const dist = 'apps/web/dist';
const page = readFileSync(`${dist}/index.html`, 'utf8');

/** The scripts that the page names: its entry, and what that imports before it runs. */
export default [
  {
    name: 'JavaScript of the first load',
    path: [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, path]) => dist + path),
    gzip: true,
    limit: '180 kB',
  },
];
