// npm start: the whole product on this machine. Installs, builds, starts; Ctrl-C stops it.
import { build, install } from './install.mjs';
import { main, rootDir } from './run.mjs';

// A SIGTERM sent to npm ends npm and its shell but never reaches us: their end has to count as the signal.
const shell = process.ppid;
if (process.env.npm_lifecycle_event === 'start') {
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}

await main(async () => {
  await install();
  await build();
  const { startProduct } = await import('@uprez/local-stack/start-product');
  return startProduct({ rootDir });
});
