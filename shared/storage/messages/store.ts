import { buckets } from '../../contract/buckets.ts';
import { defineStore } from '../../contract/define-store.ts';
import type { Bodies } from './bodies.ts';

const keyOf = (bodyKey: string): string => `${buckets.documents.messages}${bodyKey}`;

let loading: Promise<Bodies> | undefined;

/** Loads the S3 client when it is first needed: few bodies are long, and loading the client slows a cold start. */
const load = (): Promise<Bodies> => {
  loading ??= import('./bodies.ts').then(({ bodies }) => bodies());
  return loading;
};

const write = (client: typeof load, bucket: string) => ({
  /** Stores the body of a message (base64). Safe to repeat. */
  async putBody(bodyKey: string, bodyBase64: string): Promise<void> {
    const bodies = await client();
    await bodies.write(bucket, keyOf(bodyKey), Buffer.from(bodyBase64, 'base64'));
  },
});

const readWrite = (client: typeof load, bucket: string) => ({
  /** Returns the body as base64, or undefined if it has expired. */
  async getBody(bodyKey: string): Promise<string | undefined> {
    const bodies = await client();
    const bytes = await bodies.read(bucket, keyOf(bodyKey));
    return bytes && Buffer.from(bytes).toString('base64');
  },
  ...write(client, bucket),
});

/**
 * The bodies of long messages. Long bodies are stored in S3, because thousands of functions may read one body at the
 * same time.
 */
export const messages = defineStore({ name: 'messages', client: () => load, permissions: { write, readWrite } });
