import { writeFileSync } from 'node:fs';
import { generated } from './routes.ts';

for (const { path, make } of generated) writeFileSync(path, make());
