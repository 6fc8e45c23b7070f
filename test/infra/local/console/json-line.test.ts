import { expect, test } from 'vitest';
import { jsonLine, type StackEvent } from '../../../../infra/local/console/events.ts';

const log = (line: string): StackEvent => ({ kind: 'log', functionName: 'sweep', line });
const metrics = '{"_aws":{"Timestamp":1},"Function":"sweep","OldestDue":2}';
const failure = { errorType: 'RangeError', errorMessage: 'no', trace: [] };
const code: StackEvent = { kind: 'code', message: 'all errors are fixed', isBroken: false };
const fields = { method: 'GET', path: '/v1/topics', status: 200, milliseconds: 3, requestId: 'r-1' };
const request: StackEvent = { kind: 'request', ...fields };

test.each<[StackEvent, object]>([
  [log('{"level":"INFO","message":{"resumed":2}}'), { kind: 'log', level: 'INFO', message: { resumed: 2 } }],
  [log('no JSON {'), { kind: 'log', message: 'no JSON {' }],
  [log('7'), { kind: 'log', message: '7' }],
  [
    { kind: 'metrics', functionName: 'sweep', line: metrics },
    { kind: 'metrics', Function: 'sweep', OldestDue: 2 },
  ],
  [
    { kind: 'failure', functionName: 'sweep', failure },
    { kind: 'failure', ...failure },
  ],
  [code, code],
  [request, request],
])('jsonLine formats %j as one object', (event, shown) => {
  const line = jsonLine(event);
  expect(line).not.toContain('\n');
  expect(JSON.parse(line)).toEqual('functionName' in event ? { function: 'sweep', ...shown } : shown);
});
