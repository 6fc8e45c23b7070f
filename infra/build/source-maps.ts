import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { root } from './esbuild-options.ts';

/** Returns the folder with the source maps of a cloud assembly. The folder has one subfolder per bundle hash. */
export const mapsFolderOf = (assembly: string): string => join(assembly, 'source-maps');

export function withRepositoryPaths(path: string, text: string, sourceRoot?: string): string {
  const map = JSON.parse(text) as { sources: string[] };
  const sources = map.sources.map((source) => relative(root, join(dirname(path), source)));
  return JSON.stringify({ ...map, sourceRoot, sources });
}

// Matches the path, line and column in `at handler (file:///var/task/index.mjs:2:1000)`.
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

// Files of the Lambda runtime may have the same names as bundles, but they are in other folders.
const isDeployed = (path: string): boolean => path.startsWith('/var/task/');

/** Returns the possible paths of a source map: next to the mapped file, or in the folder for the hash of the bundle. */
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
 * Replaces each position in a bundle with its position in the sources, such as `shared/lambda/serve.ts:42:11`.
 * @param bundle the bundle that produced the text, if it ran in the cloud
 * @param notFound called for each position that has no source map and therefore stays unchanged
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
