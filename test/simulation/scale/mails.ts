const headBytes = 4096;

/** The id of the message that a raw mail carries, as its header says it. */
export function messageOf(raw: Uint8Array): string {
  const head = Buffer.from(raw.subarray(0, headBytes)).toString('latin1');
  const id = /^x-message-id:\s*<?([\da-f]{8}-[\da-f-]{27})/im.exec(head)?.[1];
  if (id === undefined) throw new Error('a mail does not say which message it carries');
  return id;
}
