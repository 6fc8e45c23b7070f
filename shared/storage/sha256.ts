import { createHash, createHmac, createSecretKey } from 'node:crypto';

type Data = string | ArrayBuffer | ArrayBufferView;

const bytesOf = (data: Data): Buffer => {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
};

/**
 * SHA-256 and HMAC-SHA-256 for the `sha256` setting of AWS clients. A client creates two HMACs per request. Node needs
 * 5 µs for an HMAC whose key is a KeyObject, but 16 µs if the key is a buffer, as in the SDK's own class.
 */
export class Sha256 {
  readonly #start;
  #hash;

  /** @param secret the key of the HMAC (default: a hash without a key) */
  constructor(secret?: Data) {
    const key = secret && createSecretKey(bytesOf(secret));
    this.#start = () => (key ? createHmac('sha256', key) : createHash('sha256'));
    this.#hash = this.#start();
  }

  update(data: Data): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#start();
  }
}
