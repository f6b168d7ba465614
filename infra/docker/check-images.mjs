// Runs the steps of the Dockerfiles in this folder without Docker. Each stage is an empty temporary folder: COPY copies
// into it, RUN runs in it with sh, and ENV and WORKDIR apply to it. Then checks that the file that CMD starts exists.
//
//   node infra/docker/check-images.mjs [gateway|worker|dispatcher ...] [--keep]
//
// Not checked: the contents of the base images, whether USER can read the files, docker-compose.yml, its health checks,
// and seccomp.json. RUN uses the Node.js, package caches, and environment of this machine.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readDockerfile } from './read-dockerfile.mjs';

const here = import.meta.dirname;
const repository = path.resolve(here, '../..');

/** Returns the names that .dockerignore excludes at any depth. Throws when it contains another kind of pattern. */
function readIgnoredNames() {
  const lines = fs.readFileSync(path.join(repository, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const other = lines.find((line) => !/^\*\*\/[^*/]+$/.test(line));
  if (other) throw new Error(`.dockerignore: expected lines like **/name, found ${other}`);
  return new Set(lines.map((line) => line.slice('**/'.length)));
}

/** Maps a path in the image to a path in the stage's folder. */
const inside = (stage, file) => path.join(stage.root, path.resolve(stage.cwd, file));

function copy(stage, step, stages) {
  const words = step.words.filter((word) => !word.startsWith('--'));
  const from = step.words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const source = from
    ? { root: stages.get(from).root, ignored: new Set() }
    : { root: repository, ignored: readIgnoredNames() };
  const sources = words.slice(0, -1);
  const target = words.at(-1);
  for (const file of sources) {
    const origin = path.join(source.root, file);
    const intoFolder = target.endsWith('/') && fs.statSync(origin).isFile();
    const destination = intoFolder ? path.join(inside(stage, target), path.basename(file)) : inside(stage, target);
    fs.cpSync(origin, destination, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (name) => name === origin || !source.ignored.has(path.basename(name)),
    });
  }
}

function run(stage, step) {
  const { status } = spawnSync('sh', ['-c', step.text], {
    cwd: inside(stage, '.'),
    env: { ...process.env, ...stage.env },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 20 * 60_000,
  });
  if (status !== 0) throw new Error(`line ${step.line}: RUN exited with code ${status}`);
}

/** Maps absolute paths in ENV to paths in the stage's folder. */
function setEnvironment(stage, step) {
  for (const word of step.words) {
    const [name, value = ''] = word.split(/=(.*)/s);
    stage.env[name] = value.startsWith('/') ? path.join(stage.root, value) : value;
  }
}

function checkStart(stage, step) {
  const entry = JSON.parse(step.text).find((word) => word.endsWith('.js'));
  if (!fs.existsSync(inside(stage, entry)))
    throw new Error(`line ${step.line}: CMD starts ${entry}, which doesn't exist`);
}

const actions = {
  WORKDIR: (stage, step) => {
    stage.cwd = path.resolve(stage.cwd, step.text);
    fs.mkdirSync(inside(stage, '.'), { recursive: true });
  },
  ENV: setEnvironment,
  COPY: copy,
  RUN: run,
  CMD: checkStart,
  USER: () => {},
  EXPOSE: () => {},
};

function checkImage(name, folder) {
  const stages = new Map();
  let stage;
  for (const step of readDockerfile(path.join(here, `${name}.Dockerfile`))) {
    console.log(`[${name}] ${step.instruction} ${step.text}`);
    if (step.instruction === 'FROM') {
      const stageName = step.words[2] ?? 'final';
      stage = { root: path.join(folder, name, stageName), cwd: '/', env: {} };
      fs.mkdirSync(stage.root, { recursive: true });
      stages.set(stageName, stage);
    } else {
      const action = actions[step.instruction];
      if (!action) throw new Error(`line ${step.line}: unsupported instruction ${step.instruction}`);
      action(stage, step, stages);
    }
  }
  const size = spawnSync('du', ['-sm', stage.root], { encoding: 'utf8' }).stdout.split('\t')[0];
  return `${name}: all steps succeeded, ${size} MB without the base image`;
}

const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'uprez-images-'));
try {
  const results = (names.length > 0 ? names : ['gateway', 'worker', 'dispatcher']).map((name) =>
    checkImage(name, folder),
  );
  console.log(`\n${results.join('\n')}\nRun with Node.js ${process.version} outside Docker.`);
} finally {
  if (process.argv.includes('--keep')) console.log(`Kept: ${folder}`);
  else fs.rmSync(folder, { recursive: true, force: true });
}
