import { describe, expect, it } from 'vitest';
import { OptionError } from '../../../infra/operate/command-line.ts';
import { readScaleOptions } from './options.ts';

describe('the arguments of scale mode', () => {
  it('the arguments of scale mode default to a million subscribers, some failing receivers, and the default account quotas', () => {
    expect(readScaleOptions([])).toMatchObject({
      ...{ subscribers: 1_000_000, events: 1, rate: 100, concurrency: 1000, bodyBytes: 1024 },
      receivers: { p50Ms: 80, hang: 0.01, down: 0.02 },
      policy: { countdownSeconds: 3600, maxRetries: 168 },
    });
  });

  it('are parsed', () => {
    const given = '--receivers p50=20ms,down=5% --body 256KB';
    const options = readScaleOptions(given.split(' '));
    expect(options).toMatchObject({ bodyBytes: 262_144 });
    expect(options.receivers).toEqual({ p50Ms: 20, hang: 0, down: 0.05, once: 0 });
  });

  it.each([
    ['--receivers', 'p50=fast', ''],
    ['--receivers', 'hang=1', ''],
    ['--receivers', 'hang=60%,down=50%', ''],
    ['--body', '1', ''],
    ['--subscribers', 'many', ''],
    ['--events', '0', ''],
    ['--settings', 'pauseAfterDays=1000', 'pauseAfterDays does not accept "1000"'],
    ['--settings', 'nope=1', 'there is no setting "nope"'],
    ['--policy', '10', '3600,168'],
    ['--policy', '10,-2', ''],
  ])('an invalid argument is rejected with the name of the option: %s %s', (name, value, hint) => {
    expect(() => readScaleOptions([name, value])).toThrow(OptionError);
    expect(() => readScaleOptions([name, value])).toThrow(name);
    expect(() => readScaleOptions([name, value])).toThrow(hint);
  });
});
