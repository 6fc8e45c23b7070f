import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { help, readOptions } from '../../../infra/local/options.ts';
import { ownSettings, replacedSettings } from '../../../infra/local/own-settings.ts';
import { OptionError } from '../../../infra/operate/command-line.ts';

test.each([
  [[], {}, {}],
  [[], { PORT: '4000' }, { port: 4000 }],
  [['--port', '0'], { PORT: '4000' }, { port: 0 }],
  [['--watch', '--inspect', 'readPerson'], {}, { isWatching: true, inspected: 'readPerson' }],
  [['--json', '--data', 'kept', '--verbose'], {}, { isJson: true, isVerbose: true, dataDir: resolve('kept') }],
  [
    ['--stage', 'prod', '--set', 'uinLength=14', '--set', 'institutionName=a=b', '--set', 'privacyUrl='],
    {},
    { settings: { stage: 'prod', uinLength: '14', institutionName: 'a=b', privacyUrl: '' } },
  ],
])('readOptions reads %j with the environment %j', (given, environment, expected) => {
  const defaults = { port: 3000, settings: {}, isJson: false, isVerbose: false, isWatching: false };
  expect(readOptions(given, environment)).toEqual({ ...defaults, ...expected });
});

test.each([
  [['--prot', '1'], "Unknown option '--prot'; npm start -- --help lists the options"],
  [['4000'], "Unexpected argument '4000'; npm start -- --help lists the options"],
  [['--port'], "Option '--port <value>' argument missing; npm start -- --help lists the options"],
  [['-c', 'stage=prod'], '-c is for npm run deploy and cdk. Pass --stage STAGE or --set SETTING=VALUE here.'],
  [['--set', 'uinLength'], '--set needs SETTING=VALUE, not uinLength'],
  [['--set', 'uinlength=14'], 'there is no setting "uinlength" (--set): did you mean uinLength?'],
  [['--port', '70000'], '70000 is not a port: give a number from 0 to 65535'],
  [['--port', 'x'], 'x is not a port: give a number from 0 to 65535'],
])('readOptions rejects %j with one line', (given, message) => {
  expect(() => readOptions(given, {})).toThrow(new OptionError(message));
});

test('--set rejects every setting that the local stack replaces, and states the reason', () => {
  const names = Object.keys(replacedSettings({ url: '', jwksUrl: '', tokenUrl: '' }));
  expect(names).toContain('callerClaim');
  for (const name of [...names, ...Object.keys(ownSettings)])
    expect(() => readOptions(['--set', `${name}=`], {})).toThrow(new RegExp(`^--set cannot change ${name}: \\w`));
});

test('the help lists every option', () => {
  expect(readOptions(['--help', '--port', 'x'], {})).toBe('help');
  const options = ['--port N', '--data DIR', '--stage STAGE', '--set SETTING=VALUE', '--json', '--verbose', '--watch'];
  for (const option of [...options, '--inspect FUNCTION', '--help']) expect(help).toContain(option);
});
