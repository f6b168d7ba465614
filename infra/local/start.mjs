// npm start: builds and runs the product; npm run dev: the same with hot reload. Ctrl-C stops it.
import { build } from './build.mjs';
import { main, rootDir } from './run.mjs';

const mode = process.argv[2] === '--watch' ? 'watch' : 'built';

// A SIGTERM that is sent to npm ends npm and its shell and does not reach this process.
const shell = process.ppid;
if (process.env.npm_lifecycle_event) {
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}

await main(async () => {
  // Vite serves the web app from source.
  await build(mode === 'watch' ? ['!@uprez/web'] : 'all');
  const { startProduct } = await import('@uprez/local-stack/start-product');
  return startProduct({ rootDir, mode });
});
