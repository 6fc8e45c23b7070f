import { expect, it } from 'vitest';
import { readDemoOptions } from '../../../../infra/local/demo/options.ts';
import { OptionError } from '../../../../infra/operate/command-line.ts';

it('by default, the demo has 1,000 persons and simulates one year in 45 seconds', () => {
  expect(readDemoOptions([])).toEqual({ port: 0, people: 1000, seconds: 45, seed: 1, isEnding: false });
  const given = ['--port', '3001', '--people', '5', '--seconds', '2', '--seed', '9', '--exit'];
  expect(readDemoOptions(given)).toEqual({ port: 3001, people: 5, seconds: 2, seed: 9, isEnding: true });
});

it.each([
  [['--people', '0'], '--people must be a whole number from 1 to 1000000'],
  [['--seconds', 'x'], '--seconds must be a whole number from 0 to 86400'],
  [['--seed', '-1'], "Option '--seed' argument is ambiguous"],
  [['--port', '70000'], '70000 is not a port: give a number from 0 to 65535'],
  [['--poeple', '1'], "Unknown option '--poeple'; npm run demo -- --help lists the options"],
])('readDemoOptions rejects %j with one line', (given, message) => {
  expect(() => readDemoOptions(given)).toThrow(OptionError);
  expect(() => readDemoOptions(given)).toThrow(message);
});
