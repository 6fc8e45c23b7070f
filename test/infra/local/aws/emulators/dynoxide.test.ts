import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDynoxide, type Machine } from '../../../../../infra/local/aws/emulators/dynoxide.ts';
import { StartError } from '../../../../../infra/local/start-error.ts';

/** Writes a package that contains its binary into a folder, as npm does. */
function install(folder: string, name: string): string {
  const place = join(folder, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name }));
  writeFileSync(join(place, 'dynoxide'), '');
  return join(place, 'dynoxide');
}

/** Creates a project on a simulated machine, with a stub in place of npm. */
function aMachine(platform: string, arch: string, npm: (args: readonly string[]) => unknown = () => {}) {
  const root = mkdtempSync(join(tmpdir(), 'machine-'));
  writeFileSync(join(root, 'package.json'), '{"optionalDependencies":{"sharp":"1.0.0","@dynoxide/linux-x64":"1.2.1"}}');
  const commands: string[] = [];
  const logged: string[] = [];
  const machine: Machine = {
    ...{ platform, arch, root },
    async run(command, args) {
      commands.push([command, ...args].join(' '));
      await npm(args);
    },
    log: (line) => void logged.push(line),
  };
  return { root, machine, commands, logged, cache: join(root, 'node_modules/.cache') };
}

const prefixOf = (args: readonly string[]): string => args[args.indexOf('--prefix') + 1] ?? '';

test('findDynoxide returns an installed binary without downloading it', async () => {
  const { root, machine, commands } = aMachine('linux', 'x64');
  const binary = install(root, '@dynoxide/linux-x64');
  expect(await findDynoxide(machine)).toBe(binary);
  expect(commands).toEqual([]);
});

const others = ['darwin-arm64', 'darwin-x64', 'linux-arm64'];

test.each(others)('on %s, findDynoxide downloads the version in package.json only once', async (machineName) => {
  const [platform = '', arch = ''] = machineName.split('-');
  const name = `@dynoxide/${machineName}`;
  const { machine, commands, logged, cache } = aMachine(platform, arch, (args) => install(prefixOf(args), name));
  const binary = await findDynoxide(machine);
  expect(binary).toBe(join(cache, 'dynoxide-1.2.1/node_modules', name, 'dynoxide'));
  expect(existsSync(binary)).toBe(true);
  expect(await findDynoxide(machine)).toBe(binary);

  expect(logged).toEqual([`Downloading the embedded DynamoDB for this machine (${name}@1.2.1). This happens once.`]);
  const command = `^npm install --prefix ${cache}/dynoxide-1.2.1-\\w+ --no-save .*${name}@1.2.1$`;
  expect(commands).toEqual([expect.stringMatching(new RegExp(command))]);
});

test('findDynoxide returns the same binary to two callers that download it concurrently', async () => {
  const { machine, cache } = aMachine('darwin', 'arm64', (args) => install(prefixOf(args), '@dynoxide/darwin-arm64'));
  const [one, other] = await Promise.all([findDynoxide(machine), findDynoxide(machine)]);
  expect(one).toBe(other);
  expect(readdirSync(cache)).toEqual(['dynoxide-1.2.1']);
});

test('findDynoxide explains in one line why a download failed, and leaves no files behind', async () => {
  const stderr = 'npm error code ENOTFOUND\nnpm error more\n';
  const { machine, cache } = aMachine('linux', 'arm64', () =>
    Promise.reject(Object.assign(new Error('failed'), { stderr })),
  );
  await expect(findDynoxide(machine)).rejects.toThrow(
    new StartError(
      'npm could not fetch @dynoxide/linux-arm64@1.2.1 (code ENOTFOUND, more). Try again, or start DynamoDB Local, ' +
        'npx dynoxide or LocalStack, and set AWS_ENDPOINT_URL_DYNAMODB to its address',
    ),
  );
  expect(readdirSync(cache)).toEqual([]);
});

test('findDynoxide reports a package that contains no binary', async () => {
  const { machine } = aMachine('linux', 'arm64');
  await expect(findDynoxide(machine)).rejects.toThrow('@dynoxide/linux-arm64@1.2.1 contains no binary');
});
