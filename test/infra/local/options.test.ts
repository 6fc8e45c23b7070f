import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { help, readOptions } from '../../../infra/local/options.ts';
import { OptionError } from '../../../infra/operate/command-line.ts';

test.each([
  [[], {}, { port: 3000, isJson: false, isWatching: false }],
  [[], { PORT: '4000' }, { port: 4000, isJson: false, isWatching: false }],
  [['--port', '0'], { PORT: '4000' }, { port: 0, isJson: false, isWatching: false }],
  [['--watch', '--inspect', 'sweep'], {}, { port: 3000, isJson: false, isWatching: true, inspected: 'sweep' }],
  [['--json', '--data', 'kept'], {}, { port: 3000, isJson: true, isWatching: false, dataDir: resolve('kept') }],
])('%j with %j', (given, environment, expected) => {
  expect(readOptions(given, environment)).toEqual(expected);
});

test.each([
  [['--prot', '1'], "Unknown option '--prot'; npm start -- --help lists the options"],
  [['4000'], "Unexpected argument '4000'; npm start -- --help lists the options"],
  [['--port'], "Option '--port <value>' argument missing; npm start -- --help lists the options"],
  [
    ['-c', 'stage=prod'],
    '-c is for npm run deploy and cdk. To use the settings of infra/stages/STAGE.ts here, pass --stage STAGE.',
  ],
  [['--port', '70000'], '70000 is not a port: give a number from 0 to 65535'],
  [['--port', 'x'], 'x is not a port: give a number from 0 to 65535'],
])('readOptions rejects %j with one line', (given, message) => {
  expect(() => readOptions(given, {})).toThrow(new OptionError(message));
});

test('the help lists every option', () => {
  expect(readOptions(['--help', '--port', 'x'], {})).toBe('help');
  for (const option of ['--port N', '--data DIR', '--json', '--watch', '--inspect FUNCTION', '--help'])
    expect(help).toContain(option);
});
