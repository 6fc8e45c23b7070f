// Installs the packages of the current folder if they are missing or older than the lock file. Then runs a program:
// `node infra/build/setup.mjs infra/local/main.ts --port 0`. This file runs before anything is installed, so it is plain JavaScript for any
// version of Node.js.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const [program = '', ...args] = process.argv.slice(2);
const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

// npm writes its own copy of the lock file last, so an installation without it is incomplete.
const installedAt = changedAt('node_modules/.package-lock.json');
const isCurrent = installedAt !== undefined && installedAt > changedAt('package-lock.json');

// Progress and npm's output go to standard error, because programs may read the standard output of the command.
function showProgress(what) {
  const { stderr } = process;
  const { packages = {} } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  // npm installs only those optional packages that suit the platform.
  const wanted = Object.keys(packages).filter((path) => path !== '' && !packages[path].optional);
  const count = () => wanted.filter((path) => existsSync(join(path, 'package.json'))).length;
  const [begin, end] = stderr.isTTY ? ['\r\u001b[K', ''] : ['', '\n'];
  const show = () => stderr.write(`${begin}${what}: ${count()} of ${wanted.length} ...${end}`);
  stderr.write(`${what} ...${end}`);
  const timer = setInterval(show, stderr.isTTY ? 1000 : 10_000);
  return () => {
    clearInterval(timer);
    stderr.write(begin);
  };
}

async function install() {
  const again = installedAt === undefined ? '' : ' again because the lock file is newer';
  const end = showProgress(`installing the packages${again}`);
  const { npm_execpath: npm = '', npm_node_execpath: node = process.execPath } = process.env;
  // npm's own Node.js runs npm because npm replaces the one in node_modules.
  const [command, ...script] = npm.endsWith('npm-cli.js') ? [node, npm] : ['npm'];
  const options = ['ci', '--loglevel=error', '--no-audit', '--no-fund', '--no-progress'];
  const [status] = await once(spawn(command, [...script, ...options], { stdio: ['inherit', 2, 2] }), 'exit');
  end();
  if (status === 0) return;
  console.error('npm could not install the packages: see its message above');
  process.exit(status ?? 1);
}

if (!isCurrent) {
  const help = program.replace(/\.ts$/, '.txt');
  if (args.some((arg) => arg === '--help' || arg === '-h') && existsSync(help)) {
    process.stdout.write(readFileSync(help));
    process.exit();
  }
  await install();
}

if (program !== '') {
  // npm puts node_modules/.bin first in PATH, so this is the installed Node.js, which runs TypeScript.
  const child = spawn('node', [program, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (status) => process.exit(status ?? 1));
}
