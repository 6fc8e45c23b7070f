import { expect, test } from 'vitest';
import { runProgram } from '../../harness/run-program.ts';

const ended = (call: string) => {
  const source = `import { endWith, OptionError } from './infra/operate/command-line.ts'; ${call}`;
  return runProgram(process.execPath, ['--input-type=module', '--eval', source], { env: { NO_COLOR: '1' } });
};

test('a program prints one line and exits with 1 if it fails, and with 2 if its options are wrong', async () => {
  const failed = await ended(`endWith(new Error('secret'), 'DynamoDB did not respond')`);
  expect(failed).toEqual({ code: 1, out: '', complaint: 'DynamoDB did not respond\n' });
  const wrong = await ended(`endWith(new OptionError('name the stage'))`);
  expect(wrong).toEqual({ code: 2, out: '', complaint: 'name the stage\n' });
});
