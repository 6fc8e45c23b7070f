import { expect, test } from 'vitest';
import { jsonLine, type StackEvent } from '../../../../infra/local/console/events.ts';

const log = (line: string): StackEvent => ({ kind: 'log', functionName: 'sweep', line });

test.each<[StackEvent, unknown]>([
  [
    log('{"level":"INFO","message":{"resumed":2}}'),
    { kind: 'log', function: 'sweep', level: 'INFO', message: { resumed: 2 } },
  ],
  [log('no JSON {'), { kind: 'log', function: 'sweep', message: 'no JSON {' }],
  [
    { kind: 'metrics', functionName: 'sweep', line: '{"_aws":{"Timestamp":1},"Function":"sweep","OldestDue":2}' },
    { kind: 'metrics', function: 'sweep', Function: 'sweep', OldestDue: 2 },
  ],
  [log('7'), { kind: 'log', function: 'sweep', message: '7' }],
  [
    { kind: 'failure', functionName: 'sweep', failure: { errorType: 'RangeError', errorMessage: 'no', trace: [] } },
    { kind: 'failure', function: 'sweep', errorType: 'RangeError', errorMessage: 'no', trace: [] },
  ],
  [
    { kind: 'code', message: 'all errors are fixed', isBroken: false },
    { kind: 'code', message: 'all errors are fixed', isBroken: false },
  ],
  [
    { kind: 'request', method: 'GET', path: '/v1/topics', status: 200, milliseconds: 3, requestId: 'r-1' },
    { kind: 'request', method: 'GET', path: '/v1/topics', status: 200, milliseconds: 3, requestId: 'r-1' },
  ],
])('jsonLine formats %j as one object', (event, object) => {
  const line = jsonLine(event);
  expect(line).not.toContain('\n');
  expect(JSON.parse(line)).toEqual(object);
});
