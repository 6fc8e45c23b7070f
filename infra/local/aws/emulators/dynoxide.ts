import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StartError } from '../../start-error.ts';

/** Where the binary is looked for, and how it is fetched; tests pretend to be on another machine. */
export interface Machine {
  /** In the words of Node.js, which are those of the packages. */
  platform: string;
  arch: string;
  /** The folder with node_modules and the versions of package.json. */
  root: string;
  run(command: string, args: readonly string[]): Promise<unknown>;
  say(line: string): void;
}

const here = (): Machine => ({
  platform: process.platform,
  arch: process.arch,
  root: fileURLToPath(new URL('../../../..', import.meta.url)),
  run: (command, args) => promisify(execFile)(command, args),
  say: (line) => console.log(line),
});

// A package for each; Windows is served by its Linux.
const published = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];

/** The package's binary below a folder with node_modules; undefined where it is not installed. */
function binaryIn(folder: string, name: string): string | undefined {
  try {
    const manifest = createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`);
    const binary = join(dirname(manifest), 'dynoxide');
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/** Of all builds together, as package.json names it for the one of the lock file. */
async function readVersion(root: string): Promise<string> {
  const { optionalDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>;
  };
  const versions = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('@dynoxide/'));
  const [, version] = versions[0] ?? [];
  if (version === undefined) throw new Error('package.json names no version of @dynoxide');
  return version;
}

const quietly = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];

const orUseAnother =
  'start DynamoDB Local, npx dynoxide or LocalStack and set AWS_ENDPOINT_URL_DYNAMODB to its address';

/**
 * The program of the embedded DynamoDB for this machine. The lock file has one build; for other machines that very version
 * is fetched, once, from the npm registry that the user has set, into node_modules.
 * @throws StartError that says what to do instead
 */
export async function findDynoxide(machine = here()): Promise<string> {
  const { platform, arch, root } = machine;
  const build = `${platform}-${arch}`;
  const name = `@dynoxide/${build}`;
  const installed = binaryIn(root, name);
  if (installed) return installed;
  if (!published.includes(build)) throw new StartError(`no embedded DynamoDB for ${build}: ${orUseAnother}`);

  const version = await readVersion(root);
  const cache = join(root, 'node_modules/.cache');
  const folder = join(cache, `dynoxide-${version}`);
  const fetched = binaryIn(folder, name);
  if (fetched) return fetched;
  machine.say(`fetching the embedded DynamoDB for this machine (${name}@${version}), once ...`);
  await mkdir(cache, { recursive: true });
  // A folder of its own: the project's packages and lock file stay as they are.
  const making = await mkdtemp(`${folder}-`);
  try {
    await machine.run('npm', ['install', '--prefix', making, ...quietly, `${name}@${version}`]);
  } catch (error) {
    await rm(making, { recursive: true });
    const { stderr, message } = error as { stderr?: string; message: string };
    const lines = (stderr || message).trim().split('\n').slice(0, 2);
    const reason = lines.map((line) => line.replace(/^npm error /, '')).join(', ');
    throw new StartError(`npm could not fetch ${name}@${version} (${reason}): try again, or ${orUseAnother}`);
  }
  // Only a whole installation ever has the final name; another process may have been faster.
  await rename(making, folder).catch(() => rm(making, { recursive: true }));
  const binary = binaryIn(folder, name);
  if (!binary) throw new StartError(`npm fetched ${name}@${version} without its program: ${orUseAnother}`);
  return binary;
}
