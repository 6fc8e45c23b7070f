// Installs the packages of a folder (the repository's root by default) if they are missing or older than the lock file. This runs
// before anything is installed, so it is plain JavaScript for any version of Node.js.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [, , below = ''] = process.argv;
const folder = join(fileURLToPath(new URL('../..', import.meta.url)), below);
const changedAt = (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs;

// npm writes its own copy of the lock file last, so an installation without it is incomplete.
const installedAt = changedAt('node_modules/.package-lock.json');
const isCurrent = installedAt !== undefined && installedAt > changedAt('package-lock.json');

if (!isCurrent) {
  const where = below === '' ? '' : ` of ${below}`;
  const why = installedAt === undefined ? '' : ' again because the lock file is newer';
  console.log(`installing the packages${where}${why} ...`);
  const { npm_execpath: npm = '', npm_node_execpath: node = process.execPath } = process.env;
  // npm's own Node.js runs npm because npm replaces the one in node_modules.
  const [command, ...args] = npm.endsWith('npm-cli.js') ? [node, npm] : ['npm'];
  const { status } = spawnSync(command, [...args, 'ci', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error('npm could not install the packages: see its message above');
    process.exit(status ?? 1);
  }
}
