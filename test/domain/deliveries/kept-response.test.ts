import { describe, expect, it } from 'vitest';
import { describeDelivery } from '../../../shared/domain/deliveries/delivery.ts';
import { readableStart } from '../../../shared/domain/deliveries/kept-response.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('the readable start of a response', () => {
  it('the readable start of a response is its text without surrounding white space', () => {
    expect(readableStart(bytes('\n{"error":\n\t"clé inconnue"}\n'))).toBe('{"error":\n\t"clé inconnue"}');
    expect(readableStart(bytes('<script>alert(1)</script>'))).toBe('<script>alert(1)</script>');
    expect(readableStart(bytes(''))).toBe('');
  });

  it('the readable start has at most 512 bytes, and omits an incomplete character at the end', () => {
    expect(readableStart(bytes('a'.repeat(513)))).toBe('a'.repeat(512));
    expect(readableStart(bytes(`${'a'.repeat(511)}é`))).toBe('a'.repeat(511));
    expect(readableStart(bytes(`${'a'.repeat(509)}😀`))).toBe('a'.repeat(509));
  });

  it('the readable start has one replacement character for each sequence of invalid UTF-8 bytes', () => {
    expect(readableStart(Uint8Array.from([0x61, 0xff, 0xfe, 0x80, 0x62]))).toBe('a\ufffdb');
    expect(readableStart(new Uint8Array(512).fill(0xff))).toBe('\ufffd');
  });

  it.each([
    ['a terminal escape sequence', '\u001b[2J', '\ufffd[2J'],
    ['a C1 control character', '\u009b2J', '\ufffd2J'],
    ['a carriage return that overwrites the line', 'ok\r\u0000', 'ok\ufffd'],
    ['a character that changes the text direction', 'a\u202etxt.exe', 'a\ufffdtxt.exe'],
  ])('the readable start has a replacement character instead of %s', (_what, given, shown) => {
    expect(readableStart(bytes(given))).toBe(shown);
  });
});

it('a response is shown only with the attempt that received it', () => {
  const message = { messageId: 'id', timestamp: '2024-03-01T12:00:00.000Z' };
  const attempts = (at: number) => {
    const outcome = { class: 'http', status: 400, at: 7, next: 'failed' } as const;
    const response = { text: 'unknown key', at, owner: 'owner' };
    const single = { state: 'failed', outcome, past: [], isStuck: false, response } as const;
    return describeDelivery(message, { single }, { isActive: true }, true, 'owner')?.attempts;
  };
  expect(attempts(7)).toMatchObject([{ status: 400, response: 'unknown key' }]);
  expect(attempts(6)).toEqual([{ at: '1970-01-01T00:00:00.007Z', class: 'http', status: 400 }]);
});
