// Runs a compiled client: node run.mjs CLIENT URL KEY IMAGE. Prints what it read as JSON.
import { readFile } from 'node:fs/promises';

const [client, url, key, image] = process.argv.slice(2);
const { run } = await import(`./dist/${client}.mjs`);
const bytes = await readFile(image);
console.log(JSON.stringify(await run({ url, key, image: new Blob([bytes]), base64: bytes.toString('base64') })));
