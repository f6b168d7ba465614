import { type Checks, expect } from './checks.ts';
import { must, type Program } from './podman.ts';

const largestMb = { gateway: 350, worker: 450, dispatcher: 350 };
const tools = ['gcc', 'cc', 'make', 'python3', 'strip', 'npm', 'npx', 'pnpm', 'yarn', 'git', 'curl'];
type Image = { Size: number; Config: { User?: string }; Healthcheck?: { Test?: string[] } };

/** Checks the sizes and contents of the images. */
export async function checkImages(podman: Program, { check }: Checks): Promise<void> {
  for (const [name, limit] of Object.entries(largestMb)) {
    const image = `localhost/uprez-${name}`;
    const run = (script: string) => must(podman, ['run', '--rm', '--network=none', image, 'sh', '-c', script]);
    const [details] = JSON.parse(await must(podman, ['image', 'inspect', image])) as [Image];
    await check(`${name}: the image is at most ${limit} MB`, () => {
      const megabytes = Math.round(details.Size / 1e6);
      expect(megabytes <= limit, `${megabytes} MB`);
      return `${megabytes} MB`;
    });
    await check(`${name}: it contains no build tools and caches`, async () => {
      const found = await run(
        `for tool in ${tools.join(' ')}; do command -v $tool; done; ls -d /root/.npm /root/.cache /var/lib/apt/lists/*_* 2>/dev/null; find /app -name '*.map' -path '*node_modules*' | head -3; true`,
      );
      expect(found === '', found);
    });
    await check(`${name}: its user isn't root, and its files belong to root`, async () => {
      expect(details.Config.User === 'node', `USER is ${details.Config.User}`);
      const output = await run('id -u; find /app -writable ! -type l | head -3');
      expect(output === '1000', output);
    });
    await check(`${name}: it has a health check`, () => expect(Boolean(details.Healthcheck?.Test), 'no HEALTHCHECK'));
    await check(`${name}: it contains its bill of materials`, async () => {
      const sbom = JSON.parse(await run(`cat /usr/share/sbom/${name}.cdx.json`)) as Bom;
      expect(sbom.bomFormat === 'CycloneDX' && sbom.components.length > 50, `${sbom.components?.length} components`);
      return `${sbom.components.length} components`;
    });
  }
}

type Bom = { bomFormat: string; components: unknown[] };
