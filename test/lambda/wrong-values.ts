const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const long = 'x'.repeat(257);

type Wrong = readonly (readonly [value: string, what: string])[];

const lines: Wrong = [
  ['', 'empty'],
  [' \t', 'blank'],
  [long, 'too long'],
  ['a\u0000b', 'with a NUL'],
  ['a\nb', 'with two lines'],
  ['a\u009bb', 'with a C1 control character'],
];
const mayBeEmpty = lines.filter(([value]) => value !== '');
const names: Wrong = [
  ...lines,
  ['firstName,,gender', 'with an empty name'],
  [Array(101).keys().toArray().join(), '101 names'],
];
const numbers: Wrong = ['', 'x', '-1', '1.5', '1e2', '0x1', '9999999'].map((value) => [value, `"${value}"`]);

/** Invalid values for each query parameter, with descriptions. */
export const wrongValues: Readonly<Record<string, Wrong>> = {
  name: [...lines, [uuid, 'like a UUID'], [uuid.toUpperCase(), 'like a UUID in capitals']],
  title: mayBeEmpty,
  topic: lines,
  subject: mayBeEmpty,
  transactionId: mayBeEmpty,
  doctype: lines,
  format: lines,
  secondaryUin: lines,
  attributeNames: names,
  names,
  deliveryFormat: ['RAW', 'json', 'raw,envelope'].map((value) => [value, `"${value}"`]),
  protocol: ['', 'https', 'HTTP', 'sms', 'http,email'].map((value) => [value, `"${value}"`]),
  // The tests of `parsePolicy` cover other policies.
  policy: ['x', '0', '1,2,3', '1,-2', 'retries=1'].map((value) => [value, `"${value}"`]),
  limit: [...numbers, ['0', '0'], ['1001', '1001']],
  offset: [...numbers, ['1000', '1000']],
  page: [...numbers, ['0', '0']],
  cursor: [
    ['', 'empty'],
    ['a b', 'with a space'],
    ['x'.repeat(201), 'too long'],
  ],
  since: ['', 'yesterday', '2026-11-20', '2026-13-20T08:00:00Z'].map((value) => [value, `"${value}"`]),
  state: ['', 'lost', 'Delivered'].map((value) => [value, `"${value}"`]),
  messageId: ['', 'x', uuid.slice(1)].map((value) => [value, `"${value}"`]),
  token: [
    ['', 'empty'],
    ['a b', 'with a space'],
    ['x'.repeat(201), 'too long'],
  ],
  address: [],
};
