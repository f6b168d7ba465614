// Writes the paths of all CommonJS modules of the process to MODULES_FILE when it ends. The packages of OpenTelemetry are
// CommonJS modules.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const { cache } = createRequire(import.meta.url);
process.on('exit', () => fs.writeFileSync(process.env.MODULES_FILE, Object.keys(cache).join('\n')));
