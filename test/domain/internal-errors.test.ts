import { describe, expect, it } from 'vitest';
import { InternalError, type InternalErrorName, internalErrors } from '../../shared/domain/internal-errors.ts';

const catalogue = Object.entries(internalErrors);
// The fields of every error log line. An ID with the same name as a log field would replace the field or be lost.
const logFields = ['message', 'error', 'reason', 'cause', 'status', 'bundle', 'at'];

describe('the catalogue of internal errors', () => {
  it.each(catalogue)('describes the error %s in a sentence', (name, { message }) => {
    expect(message.split(' ').length).toBeGreaterThan(5);
    // Messages are single sentences, which log lines can extend. A message has no placeholders, because placeholder
    // values could be personal data.
    expect(message).toMatch(/^(?:[a-z]|S3 |SQS ).*[a-zA-Z0-9?]$/);
    expect(message).not.toMatch(/[${}%<>]/);
    expect(message).not.toContain(name);
  });

  it('has a different message for each error', () => {
    expect(new Set(catalogue.map(([, { message }]) => message)).size).toBe(catalogue.length);
  });

  it.each(catalogue)('gives the error %s IDs that do not clash with other log fields', (_name, { ids }) => {
    expect(ids.filter((id) => logFields.includes(id))).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][a-zA-Z]*$/.test(id))).toEqual([]);
  });
});

describe('an internal error', () => {
  it('has a message that contains its name, description and IDs', () => {
    const error = new InternalError('queueMissed', { messageId: 'm-1', taskKey: 'message' });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'InternalError',
      errorName: 'queueMissed',
      ids: { messageId: 'm-1', taskKey: 'message' },
    });
    expect(error.message).toBe(`queueMissed: ${internalErrors.queueMissed.message} (messageId m-1, taskKey message)`);
    expect(new InternalError('missingContent', {}).message).toBe(
      `missingContent: ${internalErrors.missingContent.message}`,
    );
  });

  it('keeps its cause but omits the text of the cause from its message', () => {
    const cause = new Error('Zanzibar-4711');
    const error = new InternalError('missingSecret', { secret: 'signing' }, cause);
    expect(error.cause).toBe(cause);
    expect(error.message).not.toContain('Zanzibar-4711');
  });

  it('accepts only the IDs that the catalogue lists for its name', () => {
    // @ts-expect-error an address is not an id
    new InternalError('missingBody', { messageId: 'm-1', address: 'a@example.org' });
    // @ts-expect-error an id is missing
    new InternalError('queueMissed', { messageId: 'm-1' });
    const names = ['missingBody', 'queueMissed'] satisfies InternalErrorName[];
    expect(names.every((name) => name in internalErrors)).toBe(true);
  });
});
