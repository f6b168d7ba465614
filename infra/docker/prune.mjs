// Removes files that a deployed service never reads: node infra/docker/prune.mjs FOLDER [--without-networks]
//
// FOLDER is the output of `pnpm deploy`. Source maps, declarations, sources, documentation, tests, build tools, and libraries
// of other platforms. --without-networks also removes ONNX Runtime and the encoder of JPEG XL, for services that only inspect images.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { 'without-networks': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const root = path.resolve(positionals[0]);
const store = path.join(root, 'node_modules/.pnpm');

const unreadFile = /\.(?:map|[cm]?ts|tsx|tsbuildinfo|flow|yml|gyp|gypi|c|cc|cpp|h)$|^\.(?:eslint|nyc|prettier)/i;
/** Not of the project's own packages: the setup adds posts that are stored as Markdown. */
const unreadText = /\.(?:markdown|md|mdx)$/i;
const unreadFolder = /^(?:__tests__|bench|benchmarks?|coverage|docs?|examples?|test|tests|\.github)$/;
/** Folders that only build tools and command lines read, as patterns of paths in the store. */
const unreadParts = [
  /^(?:@npmcli\+)?node-gyp@/,
  /^(?:@types\+|undici-types@|openapi-types@)/,
  /^protobufjs@[^/]+\/node_modules\/protobufjs\/(?:cli|dist)$/,
  /\/libheif-js\/libheif$/,
  new RegExp(`/onnxruntime-node/bin/[^/]+/(?!${process.platform}$)[^/]+$`),
  new RegExp(`/onnxruntime-node/bin/[^/]+/${process.platform}/(?!${process.arch}$)[^/]+$`),
  ...(values['without-networks'] ? [/^(?:onnxruntime-(?:node|common)|wasm-vips)@/] : []),
];

/** Variants of libraries that the services don't load: for development, for other module systems, of other languages. */
const unreadVariants = [
  /\/@opentelemetry\/[^/]+\/build\/(?:esm|esnext)\//,
  /\/kysely\/dist\/cjs\//,
  /\/prismjs\/.*\.min\.js$/,
  /\/cjs\/[^/]+\.(?:development|profiling)\.js$/,
  /\/libheif-bundle\.m?js$/,
  /\/prettier\/(?:index\.[cm]js|plugins\/(?!html\.)[^/]+)$/,
  /\/prettier\/plugins\/[^/]+\.(?!m?js$)[^/]+$/,
  /\/vips-(?:es6\.js|heif\.wasm|resvg\.wasm)$/,
];

/** Packages may load code from folders named like tests or documentation, such as yaml's `dist/doc`. */
const isPackageRoot = (folder) => fs.existsSync(path.join(folder, 'package.json'));

function prune(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    const unread = entry.isDirectory()
      ? unreadParts.some((part) => part.test(path.relative(store, file))) ||
        (unreadFolder.test(entry.name) && isPackageRoot(folder))
      : entry.isFile() &&
        (unreadFile.test(entry.name) ||
          (unreadText.test(entry.name) && !/\/node_modules\/@uprez\//.test(file)) ||
          unreadVariants.some((variant) => variant.test(file)));
    if (unread) fs.rmSync(file, { recursive: true });
    else if (entry.isDirectory()) prune(file);
  }
}

/** Removes links whose targets were removed. */
function removeBrokenLinks(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isSymbolicLink() && !fs.existsSync(file)) fs.rmSync(file);
    else if (entry.isDirectory()) removeBrokenLinks(file);
  }
}

prune(root);
removeBrokenLinks(root);
