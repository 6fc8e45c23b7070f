import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './esbuild-options.ts';

/** The platform for which functions are packaged, in npm's terms. `here` is the developer's machine. */
export type Platform = 'here' | { readonly os: string; readonly cpu: string; readonly libc: string };

export const lambdaArm64: Platform = { os: 'linux', cpu: 'arm64', libc: 'glibc' };

interface Lock {
  packages: Record<string, { version?: string; dependencies?: object; optionalDependencies?: object }>;
}

const run = promisify(execFile);

/**
 * Returns the names of packages and of their dependencies in the lock file, except those for which `isThere` returns
 * false.
 */
function neededBy(
  packages: readonly string[],
  { packages: locked }: Lock,
  isThere = (_name: string) => true,
): string[] {
  const needed = new Set<string>();
  const add = (name: string): void => {
    const entry = locked[`node_modules/${name}`];
    if (needed.has(name) || entry === undefined || !isThere(name)) return;
    needed.add(name);
    for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) add(next);
  };
  for (const name of packages) add(name);
  return [...needed].toSorted();
}

/**
 * Installs packages for another platform into a cache. Uses the versions in the lock file, and does not run install
 * scripts.
 */
async function install(packages: readonly string[], lock: Lock, platform: Exclude<Platform, 'here'>): Promise<string> {
  const places = neededBy(packages, lock).map((name) => `node_modules/${name}`);
  const isNeeded = (place: string) => places.some((needed) => place === needed || place.startsWith(`${needed}/`));
  const entries = Object.entries(lock.packages).filter(([place]) => isNeeded(place));
  const versions = packages.map((name) => [name, lock.packages[`node_modules/${name}`]?.version]);
  const project = { name: 'packages', version: '1.0.0', dependencies: Object.fromEntries(versions) };
  const ownLock = {
    ...project,
    lockfileVersion: 3,
    requires: true,
    packages: { '': project, ...Object.fromEntries(entries) },
  };
  const key = createHash('sha256')
    .update(JSON.stringify([ownLock, platform]))
    .digest('hex')
    .slice(0, 16);
  const cache = join(root, 'node_modules/.cache');
  const folder = join(cache, `packages-${platform.os}-${platform.cpu}-${key}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const making = await mkdtemp(join(cache, 'packages-'));
  await writeFile(join(making, 'package.json'), JSON.stringify(project));
  await writeFile(join(making, 'package-lock.json'), JSON.stringify(ownLock));
  const where = [`--os=${platform.os}`, `--cpu=${platform.cpu}`, `--libc=${platform.libc}`];
  try {
    await run('npm', ['ci', ...where, '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: making });
  } catch (error) {
    await rm(making, { recursive: true });
    const reason = String((error as { stderr?: string }).stderr)
      .split('\n')
      .slice(0, 3)
      .join(' ');
    throw new Error(`npm could not fetch ${packages.join(', ')} for ${platform.os} ${platform.cpu}: ${reason}`);
  }
  // The folder gets its final name only after the packages have been installed. The rename fails if another process has
  // already created the folder.
  await rename(making, folder).catch(() => rm(making, { recursive: true }));
  return folder;
}

// Licences and notices must be deployed with the packages.
const isNotice = (path: string): boolean => /\/(?:LICEN[CS]E|NOTICE|COPYING|THIRD-PARTY)[^/]*$/i.test(path);

// Matches package files that no function needs: sources, browser builds, and CommonJS copies of ES modules.
const isNeedless = (path: string): boolean =>
  !isNotice(path) &&
  /(?:\.d\.[cm]?ts|\.md|\.map)$|sharp\/(?:src|install)(?:\/|$)|pdfium\/dist\/(?!pdfium\.wasm$|index\.esm\.js$).+/.test(
    path,
  );

export async function addTexts(texts: Readonly<Record<string, string>>, folder: string): Promise<void> {
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Copies packages that are built for the function's platform into the function's folder. */
export async function addPackages(packages: readonly string[], folder: string, platform: Platform): Promise<void> {
  if (packages.length === 0) return;
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const from = platform === 'here' ? root : await install(packages, lock, platform);
  const placeOf = (name: string): string => join(from, 'node_modules', name);
  const filter = (path: string): boolean => !isNeedless(path.slice(from.length));
  // The lock file also lists builds for other platforms, which npm has not installed.
  for (const name of neededBy(packages, lock, (one) => existsSync(placeOf(one)))) {
    await cp(placeOf(name), join(folder, 'node_modules', name), { recursive: true, filter });
  }
}
