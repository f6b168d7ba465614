// Prints every CommonJS module that the process has loaded when it ends. The packages of OpenTelemetry are CommonJS modules.
import { createRequire } from 'node:module';

const { cache } = createRequire(import.meta.url);
process.on('exit', () => {
  for (const file of Object.keys(cache)) console.log(file);
  console.log('modules printed');
});
