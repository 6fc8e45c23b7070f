import { afterEach, describe, expect, it, vi } from 'vitest';
import { bundleVariable } from '../../shared/contract/log-lines.ts';
import { InternalError, internalErrors } from '../../shared/domain/internal-errors.ts';
import { logError } from '../../shared/lambda/logger.ts';
import { readConsole } from '../harness/console-lines.ts';

const marker = 'Zanzibar-4711';
const lines = readConsole();

/** Returns the log line of an error, and checks that the line does not contain the marker. */
function lineOf(error: unknown): Record<string, unknown> {
  logError('failed', error, { operation: 'publishEvent' });
  expect(lines.error).toHaveLength(1);
  expect(lines.error.join()).not.toContain(marker);
  return JSON.parse(lines.error[0] ?? 'null');
}

/** Returns an error in the form of an AWS SDK error. */
const awsError = (name: string, more: object = {}) =>
  Object.assign(new Error(marker), {
    ...{ name, $fault: 'client', $service: 'SQS', $response: { body: marker } },
    $metadata: { httpStatusCode: 400, requestId: 'aws-1', attempts: 1 },
    ...more,
  });

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the log line of an error', () => {
  it('the log line of an internal error contains its name, its description, its IDs and the given fields', () => {
    const line = lineOf(new InternalError('missingBody', { messageId: 'm-1' }));
    expect(line).toEqual({
      ...{ message: 'failed', operation: 'publishEvent', error: 'missingBody', messageId: 'm-1' },
      ...{ reason: internalErrors.missingBody.message, at: expect.stringContaining('logger.test.ts') },
    });
  });

  it('the log line of an error contains the name of the cause, and the status and request ID from AWS', () => {
    const line = lineOf(
      new InternalError('missingSecret', { secret: 'signing' }, awsError('ResourceNotFoundException')),
    );
    expect(line).toMatchObject({ error: 'missingSecret', cause: 'ResourceNotFoundException' });
    expect(line).toMatchObject({ awsStatus: 400, awsRequestId: 'aws-1' });
  });

  it('the log line of an error with two causes contains the names of both causes', () => {
    const cause = new AggregateError([new TypeError(marker), awsError('QueueDoesNotExist')], marker);
    const line = lineOf(new InternalError('keptNowhere', { messageId: 'm-1', taskKey: 'message' }, cause));
    expect(line).toMatchObject({ error: 'keptNowhere', cause: 'TypeError, QueueDoesNotExist', awsRequestId2: 'aws-1' });
  });

  it.each([
    ['dynamodb:PutItem', 'User: arn:aws:sts::1:role/r is not authorized to perform: dynamodb:PutItem on resource: a'],
    ['sqs:sendmessage', 'User: arn:aws:sts::1:role/r is not authorized to perform: sqs:sendmessage on resource: a'],
    ['ses:SendRawEmail', "User `arn:aws:sts::1:role' is not authorized to perform `ses:SendRawEmail' on resource `a'"],
    ['s3:GetObject', `User: r is not authorized to perform: s3:GetObject on resource: "arn:aws:s3:::b/x/${marker}"`],
  ])('the log line names the denied action: %s', (action, message) => {
    const line = lineOf(Object.assign(awsError('AccessDeniedException'), { message }));
    expect(line).toMatchObject({ denied: action });
    expect(JSON.stringify(line)).not.toContain(marker);
  });

  it('the log line of an AWS error contains its code, status and request ID', () => {
    const line = lineOf(awsError('ProvisionedThroughputExceededException'));
    expect(line).toMatchObject({ error: 'ProvisionedThroughputExceededException', awsStatus: 400 });
    expect(line).toMatchObject({ awsRequestId: 'aws-1' });
    expect(line).not.toHaveProperty('reason');
  });

  it("the log line of an error contains the error's code only if the code comes from the operating system", () => {
    expect(lineOf(Object.assign(new Error(marker), { code: 'ECONNREFUSED' }))).toMatchObject({ code: 'ECONNREFUSED' });
    lines.error.length = 0;
    expect(lineOf(Object.assign(new Error(marker), { code: marker }))).not.toHaveProperty('code');
  });

  it.each([
    [new RangeError(marker), 'RangeError'],
    [marker, 'string'],
    [undefined, 'undefined'],
    [null, 'object'],
  ])('the log line of any other thrown value contains only the type of the value: %#', (error, kind) => {
    expect(lineOf(error)).toMatchObject({ message: 'failed', operation: 'publishEvent', error: kind });
  });

  it('the log line of an error contains no text from the error message that looks like a source position', () => {
    expect(lineOf(new Error(`first\n    at ${marker} (x.ts:1:1)`)).at).not.toContain('x.ts');
  });

  it('the log line of an error names the bundle, so that `npm run -s trace` can find the source lines', () => {
    vi.stubEnv(bundleVariable, 'f00d');
    expect(lineOf(new Error(marker))).toMatchObject({ bundle: 'f00d' });
  });
});
