import path from 'node:path';
import { fileFixture } from '@uprez/testing/fixtures';
import { isLeftOut } from '@uprez/testing/programs/toolchains';
import { describe, expect, it } from 'vitest';
import { openInstallFolder } from '../support/install-folder.ts';
import { openJobServer } from '../support/open-job-server.ts';
import { runIn } from '../support/sdks.ts';

const usage = `<?php
require 'vendor/autoload.php';

use Uprez\\Image;
use Uprez\\Options;
use Uprez\\Uprez;
use Uprez\\Webhook;

$uprez = new Uprez('key', getenv('URL'));
$job = $uprez->process(Image::fromBytes('image', 'a.png'), new Options(scale: 2))->waitFor();
echo $job->result(), ' ', stream_get_contents($job->stream()), ' ', is_callable([Webhook::class, 'verify']), "\\n";
`;

describe.skipIf(isLeftOut('php') || isLeftOut('composer'))('the PHP package', () => {
  const server = fileFixture(openJobServer);
  const folder = fileFixture(openInstallFolder);
  const offline = { COMPOSER_ALLOW_SUPERUSER: '1', COMPOSER_DISABLE_NETWORK: '1', COMPOSER_NO_INTERACTION: '1' };

  it('has a valid composer.json', async () => {
    await runIn('php', ['composer', 'validate', '--strict', '--no-check-lock'], { env: offline });
  });

  it('is installed by Composer, and loaded by its autoloader', async () => {
    const url = await folder.copy('php');
    const options = { symlink: false, versions: { 'uprez/uprez': '0.2.0' } };
    const project = {
      repositories: [{ type: 'path', url, options }, { 'packagist.org': false }],
      require: { 'uprez/uprez': '^0.2' },
    };
    await folder.write({ 'project/composer.json': JSON.stringify(project), 'project/use.php': usage });
    const cwd = path.join(folder.root, 'project');
    await runIn('php', ['composer', 'install', '--no-progress', '--classmap-authoritative'], { cwd, env: offline });
    expect(await runIn('php', ['php', 'use.php'], { cwd, env: { URL: server.url } })).toBe('image image 1\n');
  });
});
