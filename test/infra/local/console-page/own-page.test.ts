import { expect, it } from 'vitest';
import { isOwnPage, isVisit } from '../../../../infra/local/console-page/own-page.ts';

const own = '127.0.0.1:3000';

it.each([
  ['a tool', {}],
  ['its own script', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
  ['its own POST', { origin: `http://${own}`, 'sec-fetch-site': 'same-origin' }],
])('answers %s', (_who, headers) => {
  expect(isOwnPage({ host: own, ...headers }, own)).toBe(true);
});

it.each([
  ['a page of another site', { host: own, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['one that sends no Origin', { host: own, 'sec-fetch-site': 'cross-site' }],
  ['one whose browser tells no site', { host: own, origin: 'https://evil.example' }],
  ['a page without an origin', { host: own, origin: 'null' }],
  ['another port of this machine', { host: own, origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-site' }],
  ['a name that was made to lead here', { host: 'evil.example:3000', 'sec-fetch-site': 'same-origin' }],
  ['another name of this machine', { host: 'localhost:3000', 'sec-fetch-site': 'same-origin' }],
  ['whoever names no host', {}],
])('does not answer %s', (_who, headers) => {
  expect(isOwnPage(headers, own)).toBe(false);
});

it('lets other sites lead somebody to a page, and nothing else', () => {
  const visit = {
    host: own,
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  expect(isVisit(visit, own)).toBe(true);
  expect(isVisit({ ...visit, 'sec-fetch-dest': 'iframe' }, own)).toBe(false);
  expect(isVisit({ ...visit, 'sec-fetch-mode': 'no-cors' }, own)).toBe(false);
  expect(isVisit({ ...visit, host: 'evil.example:3000' }, own)).toBe(false);
});
