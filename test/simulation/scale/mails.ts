const headBytes = 4096;

export function messageOf(raw: Uint8Array): string {
  const head = Buffer.from(raw.subarray(0, headBytes)).toString('latin1');
  const id = /^x-message-id:\s*<?([\da-f]{8}-[\da-f-]{27})/im.exec(head)?.[1];
  if (id === undefined) throw new Error('the email has no message id');
  return id;
}
