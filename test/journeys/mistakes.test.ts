import { expect, test } from 'vitest';
import { generateUin } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { readResponse } from '../harness/call.ts';
import { mistakes } from '../harness/mistakes.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const { call, newTopic, outputs, token } = world;
leavesNoErrors(world);

const { name } = await newTopic();
const uin = (await call(generateUin, { body: { firstName: 'Ada', gender: 2 } })).json;

test.each(mistakes)('%s: %s', async (what, request, body, status, message) => {
  const [method = '', path = ''] = request.replace('{topic}', name).replace('{uin}', uin).split(' ');
  const headers = { authorization: `Bearer ${token}` };
  const sent = body.length > 0 && { body: new Blob([typeof body === 'string' ? body : new Uint8Array(body)]) };
  const answer = await readResponse(await fetch(outputs.baseUrl + path, { method, headers, ...sent }), what);
  expect([answer.status, answer.error.message]).toEqual([status, message]);
});

test('error messages repeat names from the request, but no values', () => {
  for (const [, , body, , message] of mistakes) {
    for (const value of ['29/02/2024', '2023-02-29', 'Sato', 'José', '"F"', 'secret']) {
      if (String(body).includes(value)) expect(message).not.toContain(value);
    }
  }
});
