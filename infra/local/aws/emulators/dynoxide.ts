import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StartError } from '../../start-error.ts';

/** The machine for which dynoxide is found or downloaded. Tests simulate other machines. */
export interface Machine {
  platform: string;
  arch: string;
  root: string;
  run(command: string, args: readonly string[]): Promise<unknown>;
  log(line: string): void;
}

const thisMachine = (): Machine => ({
  platform: process.platform,
  arch: process.arch,
  root: fileURLToPath(new URL('../../../..', import.meta.url)),
  run: (command, args) => promisify(execFile)(command, args),
  log: (line) => console.log(line),
});

// dynoxide has one npm package for each platform. Developers on Windows use the Linux build in WSL.
const supportedBuilds = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];

/** Returns the path of the dynoxide binary in a package; undefined if the package is not installed. */
function binaryIn(folder: string, name: string): string | undefined {
  try {
    const manifest = createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`);
    const binary = join(dirname(manifest), 'dynoxide');
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

async function readVersion(root: string): Promise<string> {
  const { optionalDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>;
  };
  const versions = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('@dynoxide/'));
  const [, version] = versions[0] ?? [];
  if (version === undefined) throw new Error('package.json does not specify a version of @dynoxide');
  return version;
}

const installFlags = [
  '--no-save',
  '--no-package-lock',
  '--no-audit',
  '--no-fund',
  '--ignore-scripts',
  '--loglevel=error',
];

const useAnother = 'start DynamoDB Local, npx dynoxide or LocalStack, and set AWS_ENDPOINT_URL_DYNAMODB to its address';

/**
 * Returns the path of the dynoxide binary for the machine. The lock file contains the build for only one platform. On
 * any other platform, the same version is downloaded once from the configured npm registry into node_modules.
 * @throws StartError if there is no binary for the machine; the message suggests an alternative
 */
export async function findDynoxide(machine = thisMachine()): Promise<string> {
  const { platform, arch, root } = machine;
  const build = `${platform}-${arch}`;
  const name = `@dynoxide/${build}`;
  const installed = binaryIn(root, name);
  if (installed) return installed;
  if (!supportedBuilds.includes(build)) throw new StartError(`no embedded DynamoDB for ${build}: ${useAnother}`);

  const version = await readVersion(root);
  const cache = join(root, 'node_modules/.cache');
  const folder = join(cache, `dynoxide-${version}`);
  const cached = binaryIn(folder, name);
  if (cached) return cached;
  machine.log(`Downloading the embedded DynamoDB for this machine (${name}@${version}). This happens once.`);
  await mkdir(cache, { recursive: true });
  // Installs the package into a temporary folder, so that the project's packages and lock file stay unchanged.
  const staging = await mkdtemp(`${folder}-`);
  try {
    await machine.run('npm', ['install', '--prefix', staging, ...installFlags, `${name}@${version}`]);
  } catch (error) {
    await rm(staging, { recursive: true });
    const { stderr, message } = error as { stderr?: string; message: string };
    const lines = (stderr || message).trim().split('\n').slice(0, 2);
    const reason = lines.map((line) => line.replace(/^npm error /, '')).join(', ');
    throw new StartError(`npm could not fetch ${name}@${version} (${reason}). Try again, or ${useAnother}`);
  }
  // The folder gets its final name only after the package has been installed. The rename fails if another process has
  // already created the folder.
  await rename(staging, folder).catch(() => rm(staging, { recursive: true }));
  const binary = binaryIn(folder, name);
  if (!binary) throw new StartError(`${name}@${version} contains no binary: ${useAnother}`);
  return binary;
}
