import { Uprez } from '@uprez/sdk-node';
import { findCredentials } from '../credentials.ts';
import type { Common, Work } from '../read-arguments.ts';
import { findProgram } from '../work/make-here.ts';
import { type Engine, settingsOf } from '../work/make-item.ts';
import type { World } from '../world.ts';

/** The service with the key that is found. Throws CliError without one. */
export async function openClient(
  { env }: World,
  { url, sandbox }: Common,
): Promise<{ client: Uprez; baseUrl: string }> {
  const credentials = await findCredentials(env, url);
  return { client: new Uprez({ ...credentials, sandbox, maxRetries: 5 }), baseUrl: credentials.baseUrl };
}

/** The service, and all that changes what it makes. */
export async function openService(
  world: World,
  common: Common,
  work: Work,
): Promise<{ client: Uprez; settings: object }> {
  const { client, baseUrl } = await openClient(world, common);
  return { client, settings: settingsOf(work, { baseUrl, sandbox: common.sandbox }) };
}

/** Who makes the images, and all that changes what is made. */
export async function openEngine(
  world: World,
  common: Common,
  work: Work,
): Promise<{ engine: Engine; settings: object }> {
  if (work.local) return { engine: { program: await findProgram(world.env.path) }, settings: settingsOf(work, {}) };
  const { client, settings } = await openService(world, common, work);
  return { engine: { client }, settings };
}
