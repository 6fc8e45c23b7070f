import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// Replaces npm: records the arguments, and creates only the file that marks the installation as complete.
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
    setUp(environment: Record<string, string> = {}) {
      writeFileSync(join(root, 'called'), '');
      const env = { ...process.env, npm_execpath: join(root, 'npm/npm-cli.js'), ...environment };
      const { status, stdout, stderr } = spawnSync(process.execPath, ['infra/build/setup.mjs'], {
        ...{ cwd: root, env, encoding: 'utf8' },
      });
      return { status, stdout, stderr, called: readFileSync(join(root, 'called'), 'utf8') };
    },
    isInstalled: () => existsSync(join(root, 'node_modules')),
  };
}

test('setup installs the packages of a bare clone once, from the lock file', () => {
  const { setUp, isInstalled } = aClone();
  const first = setUp();
  expect(first).toMatchObject({ status: 0, stdout: 'installing the packages ...\n', stderr: '' });
  expect(first.called).toMatch(/^ci( |$)/);
  expect(isInstalled()).toBe(true);
  expect(setUp()).toEqual({ status: 0, stdout: '', stderr: '', called: '' });
});

test('setup installs the packages again when the lock file has changed', () => {
  const { setUp, changed } = aClone();
  setUp();
  changed('package-lock.json', -60);
  expect(setUp()).toMatchObject({
    stdout: 'installing the packages again because the lock file is newer ...\n',
    called: expect.stringMatching(/^ci( |$)/),
  });
});

test('setup fails with a message when npm fails', () => {
  const stderr = 'npm could not install the packages: see its message above\n';
  expect(aClone().setUp({ FAILS: '1' })).toMatchObject({ status: 3, stderr });
});
