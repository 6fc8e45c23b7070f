/*
 * Promise: what a receiver says before its answer (1xx, asked for or not, in whatever pieces) is passed over: what follows it
 * decides, and the connection serves again.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../shared/model/deliveries/outcome.ts';
import { eachTime, onceAsked, startRudeServer } from '../harness/misbehaving-server.ts';
import { aSender } from '../harness/sender.ts';
import { aMessage } from '../support/message.ts';

const channel = aSender();
afterAll(() => channel.close());

const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const deliver = (address: string): Promise<Outcome> => channel.deliver(aMessage(), { uuid, address });

describe('1xx before the answer', () => {
  const done = 'HTTP/1.1 204 No Content\r\n\r\n';
  const interim = (code: string) => `HTTP/1.1 ${code}\r\nX-Interim: 1\r\n\r\n`;
  const goOn = interim('100 Continue');

  it.each([
    ['100', `${goOn}${done}`],
    ['100 without a word', `HTTP/1.1 100\r\n\r\n${done}`],
    ['100 by HTTP/1.0', `HTTP/1.0 100 Continue\r\n\r\n${done}`],
    ['several', `${goOn}${interim('102 Processing')}${goOn}${interim('103 Early Hints')}${done}`],
  ])('is passed over, in one piece or byte by byte: %s', async (_what, answer) => {
    const whole = await startRudeServer(eachTime((socket) => socket.write(answer)));
    const inBytes = await startRudeServer(
      eachTime(async (socket) => {
        socket.setNoDelay(true);
        for (const byte of answer) {
          socket.write(byte);
          await new Promise(setImmediate);
        }
      }),
    );
    for (let count = 0; count < 5; count++) {
      for (const { port } of [whole, inBytes]) {
        expect(await deliver(`http://127.0.0.1:${port}/`)).toEqual({ class: 'delivered', status: 204 });
      }
    }
    // Connections serve again.
    expect(whole.sockets.length).toBeLessThan(5);
    expect(inBytes.sockets.length).toBeLessThan(5);
  });

  it('is no answer: what follows it decides', async () => {
    const server = await startRudeServer(onceAsked(`${goOn}HTTP/1.1 500 No\r\n`));
    expect(await deliver(`http://127.0.0.1:${server.port}/`)).toEqual({ class: 'http', status: 500 });
    const silent = await startRudeServer(onceAsked(goOn));
    expect(await deliver(`http://127.0.0.1:${silent.port}/`)).toEqual({ class: 'timeout' });
  });
});
