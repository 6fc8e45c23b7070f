import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// Replaces npm: records the arguments and creates only the file that marks a completed installation.
const npmCli = `import { mkdirSync, writeFileSync } from 'node:fs';
writeFileSync('called', process.argv.slice(2).join(' '));
if (process.env.FAILS) process.exit(3);
mkdirSync('node_modules', { recursive: true });
writeFileSync('node_modules/.package-lock.json', '{}');`;

const script = join(import.meta.dirname, '../../../infra/build/setup.mjs');

function aClone() {
  const root = mkdtempSync(join(tmpdir(), 'clone-'));
  mkdirSync(join(root, 'infra/build'), { recursive: true });
  mkdirSync(join(root, 'npm'));
  copyFileSync(script, join(root, 'infra/build/setup.mjs'));
  writeFileSync(join(root, 'npm/npm-cli.js'), npmCli);
  writeFileSync(join(root, 'npm/package.json'), '{"type":"module"}');
  const changed = (file: string, secondsAgo: number) => {
    const at = Date.now() / 1000 - secondsAgo;
    utimesSync(join(root, file), at, at);
  };
  writeFileSync(join(root, 'package-lock.json'), '{}');
  changed('package-lock.json', 60);
  return {
    changed,
    save: (file: string, text: string) => writeFileSync(join(root, file), text),
    setUp(environment: Record<string, string> = {}, ...args: string[]) {
      writeFileSync(join(root, 'called'), '');
      const env = { ...process.env, npm_execpath: join(root, 'npm/npm-cli.js'), ...environment };
      const { status, stdout, stderr } = spawnSync(process.execPath, ['infra/build/setup.mjs', ...args], {
        ...{ cwd: root, env, encoding: 'utf8' },
      });
      return { status, stdout, stderr, called: readFileSync(join(root, 'called'), 'utf8') };
    },
    isInstalled: () => existsSync(join(root, 'node_modules')),
  };
}

test('setup installs the packages of a fresh clone only once, from the lock file', () => {
  const { setUp, isInstalled } = aClone();
  const first = setUp();
  expect(first).toMatchObject({ status: 0, stdout: '', stderr: 'installing the packages ...\n' });
  expect(first.called).toMatch(/^ci( |$)/);
  expect(isInstalled()).toBe(true);
  expect(setUp()).toEqual({ status: 0, stdout: '', stderr: '', called: '' });
});

test('setup installs the packages again if the lock file has changed', () => {
  const { setUp, changed } = aClone();
  setUp();
  changed('package-lock.json', -60);
  const { stderr, called } = setUp();
  expect(stderr).toBe('installing the packages again because the lock file is newer ...\n');
  expect(called).toMatch(/^ci( |$)/);
});

test('setup fails and prints a message if npm fails', () => {
  const stderr = 'installing the packages ...\nnpm could not install the packages: see its message above\n';
  expect(aClone().setUp({ FAILS: '1' })).toMatchObject({ status: 3, stderr });
});

test("setup prints a program's help without installing packages, and installs the packages before it runs the program", () => {
  const { save, setUp, isInstalled } = aClone();
  save('program.txt', 'npm start -- [OPTION]...\n');
  const help = { status: 0, stdout: 'npm start -- [OPTION]...\n', stderr: '', called: '' };
  expect(setUp({}, 'program.ts', '--port', '0', '--help')).toEqual(help);
  expect(setUp({}, 'program.ts', '-h')).toEqual(help);
  expect(isInstalled()).toBe(false);

  save('program.mjs', 'console.log(process.argv.slice(2).join()); process.exitCode = 7;');
  const run = { status: 7, stdout: '--port,0\n', stderr: 'installing the packages ...\n' };
  expect(setUp({}, 'program.mjs', '--port', '0')).toMatchObject(run);
  expect(setUp({}, 'program.mjs', '--help')).toEqual({ status: 7, stdout: '--help\n', stderr: '', called: '' });
});
