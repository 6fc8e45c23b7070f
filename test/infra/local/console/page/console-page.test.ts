import { expect, it } from 'vitest';
import { isNavigation, isSameOrigin } from '../../../../../infra/local/console/page/console-page.ts';

const own = '127.0.0.1:3000';

it.each([
  ['a tool', {}],
  ['its own script', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
  ['its own POST', { origin: `http://${own}`, 'sec-fetch-site': 'same-origin' }],
])('isSameOrigin accepts %s', (_who, headers) => {
  expect(isSameOrigin({ host: own, ...headers }, own)).toBe(true);
});

it.each([
  ['a page of another site', { host: own, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a cross-site request without Origin', { host: own, 'sec-fetch-site': 'cross-site' }],
  ['a cross-site request without Sec-Fetch-Site', { host: own, origin: 'https://evil.example' }],
  ['a page with a null origin', { host: own, origin: 'null' }],
  ['another port of this machine', { host: own, origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-site' }],
  ['a host name that was rebound to this machine', { host: 'evil.example:3000', 'sec-fetch-site': 'same-origin' }],
  ['another host name of this machine', { host: 'localhost:3000', 'sec-fetch-site': 'same-origin' }],
  ['a request without Host', {}],
])('isSameOrigin rejects %s', (_who, headers) => {
  expect(isSameOrigin(headers, own)).toBe(false);
});

it('isNavigation accepts links from other sites, but rejects all other cross-site requests', () => {
  const visit = {
    host: own,
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  expect(isNavigation(visit, own)).toBe(true);
  expect(isNavigation({ ...visit, 'sec-fetch-dest': 'iframe' }, own)).toBe(false);
  expect(isNavigation({ ...visit, 'sec-fetch-mode': 'no-cors' }, own)).toBe(false);
  expect(isNavigation({ ...visit, host: 'evil.example:3000' }, own)).toBe(false);
});
