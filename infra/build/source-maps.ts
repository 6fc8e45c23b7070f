import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { root } from '../esbuild-options.ts';

/** Where an assembly keeps the source maps of its bundles: beside the assets, in a folder for each hash. */
export const mapsFolderOf = (assembly: string): string => join(assembly, 'source-maps');

/** A map with its sources as paths of the repository, in place of paths from wherever it was bundled. */
export function withRepositoryPaths(path: string, text: string, sourceRoot?: string): string {
  const map = JSON.parse(text) as { sources: string[] };
  const sources = map.sources.map((source) => relative(root, join(dirname(path), source)));
  return JSON.stringify({ ...map, sourceRoot, sources });
}

// `at handler (file:///var/task/index.mjs:2:1000)`, and whatever else stands around a place of a bundle.
const places = /(?:file:\/\/)?(\/[^\s()<>:"]+\.mjs):(\d+):(\d+)/g;
const assets = /^(.*)\/asset\.([0-9a-f]{64})\/[^/]+$/;

const mostOpen = 20;
const opened = new Map<string, SourceMap>();

function openMap(file: string): SourceMap | undefined {
  const known = opened.get(file);
  if (known || !existsSync(file)) return known;
  const map = new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
  opened.set(file, map);
  for (const oldest of [...opened.keys()].slice(0, -mostOpen)) opened.delete(oldest);
  return map;
}

// What Lambda runs beside our bundle, its own runtime above all, has a file of the same name.
const isDeployed = (path: string): boolean => path.startsWith('/var/task/');

/** What a bundled file's map may be called: on a laptop it lies near the file, in the cloud the hash leads to it. */
function mapFiles(path: string, bundle: KeptBundle | undefined): string[] {
  const [, assembly, hash] = assets.exec(path) ?? [];
  const kept = (folder: string, ofBundle: string) => join(folder, ofBundle, `${basename(path)}.map`);
  return [
    `${path}.map`,
    ...(assembly !== undefined && hash !== undefined ? [kept(mapsFolderOf(assembly), hash)] : []),
    ...(bundle && isDeployed(path) ? [kept(bundle.mapsFolder, bundle.hash)] : []),
  ];
}

interface KeptBundle {
  readonly mapsFolder: string;
  readonly hash: string;
}

/**
 * The text with places of bundles turned into places of sources, such as `shared/lambda/serve.ts:42:11`.
 * @param bundle whose places the text has, where the cloud wrote it
 * @param notFound hears of a place without a map, which stays as it is
 */
export function sourcePlaces(text: string, bundle?: KeptBundle, notFound = (_place: string) => {}): string {
  return text.replace(places, (place, path: string, line: string, column: string) => {
    const file = mapFiles(path, bundle).find(existsSync);
    const origin = file && openMap(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (origin && 'originalSource' in origin) {
      return `${origin.originalSource}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
    }
    if (isDeployed(path) || assets.test(path)) notFound(place);
    return place;
  });
}
