// Installs the packages where they are missing or older than the lock file. It runs before anything is installed: plain
// JavaScript, on whatever Node.js the machine has.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const changedAt = (file) => statSync(`${root}${file}`, { throwIfNoEntry: false })?.mtimeMs;

// npm writes its own copy of the lock file last: without it an installation is not whole.
const installedAt = changedAt('node_modules/.package-lock.json');
const isCurrent = installedAt !== undefined && installedAt > changedAt('package-lock.json');

if (!isCurrent) {
  console.log(`installing the packages${installedAt === undefined ? '' : ' again, for the lock file is newer'} ...`);
  const { npm_execpath: npm = '', npm_node_execpath: node = process.execPath } = process.env;
  // With the Node.js that runs npm: the one in node_modules goes away on the way.
  const [command, ...args] = npm.endsWith('npm-cli.js') ? [node, npm] : ['npm'];
  const { status } = spawnSync(command, [...args, 'ci', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error('the packages could not be installed: npm says why above');
    process.exit(status ?? 1);
  }
}
