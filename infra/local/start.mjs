// npm start: the whole product on this machine. Installs, builds, starts; Ctrl-C stops it.
import { build, install } from './install.mjs';
import { main, rootDir } from './run.mjs';

await main(async () => {
  await install();
  await build();
  const { startProduct } = await import('@uprez/local-stack/start-product');
  return startProduct({ rootDir });
});
