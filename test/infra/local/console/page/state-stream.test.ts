import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createStateStream } from '../../../../../infra/local/console/page/state-stream.ts';
import { eventually } from '../../../../harness/eventually.ts';
import { listenLocally } from '../../../../harness/local-server.ts';

/** Starts a server whose stream sends the given states. */
async function serveLive(read: () => Promise<unknown>) {
  const stream = createStateStream(read);
  const server = createServer((_request, response) => stream.connect(response));
  const url = await listenLocally(server);
  onTestFinished(() => {
    stream.stop();
    server.close();
  });
  const watch = async () => {
    const leaving = new AbortController();
    const { status, body } = await fetch(url, { signal: leaving.signal });
    let text = '';
    const reading = (async () => {
      for await (const chunk of body ?? []) text += Buffer.from(chunk).toString();
    })().catch(() => {});
    const leave = () => {
      leaving.abort();
      return reading;
    };
    return { status, text: () => text, leave };
  };
  return { stream, watch };
}

it('the stream sends changes, and reads the state only while at least one client is connected', async () => {
  let [reads, state] = [0, 'first'];
  const { stream, watch } = await serveLive(async () => {
    reads += 1;
    return state;
  });
  const watcher = await watch();
  await eventually(() => expect(watcher.text()).toContain('data: "first"'));
  await eventually(() => expect(reads).toBeGreaterThan(2));
  expect(watcher.text().match(/data:/g)).toHaveLength(1);
  state = 'second';
  await eventually(() => expect(watcher.text()).toContain('data: "second"'));
  await watcher.leave();
  await eventually(() => expect(stream.clientCount()).toBe(0));
  const before = reads;
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(reads).toBe(before);
});

it('the stream reports a read error and continues', async () => {
  let isBroken = true;
  const { watch } = await serveLive(async () => {
    if (isBroken) throw new Error('no table');
    return 'state';
  });
  const watcher = await watch();
  await eventually(() => expect(watcher.text()).toContain('event: trouble\ndata: "Error: no table"'));
  isBroken = false;
  await eventually(() => expect(watcher.text()).toContain('data: "state"'));
});

it('the stream accepts no more than twenty clients', async () => {
  const { stream, watch } = await serveLive(async () => 'state');
  for (let count = 0; count < 20; count++) expect((await watch()).status).toBe(200);
  expect((await watch()).status).toBe(503);
  expect(stream.clientCount()).toBe(20);
});
