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
  topic: lines,
  subject: [...mayBeEmpty, ['livebirth', 'that resembles an event type']],
  transactionId: mayBeEmpty,
  doctype: lines,
  format: lines,
  secondaryUin: lines,
  attributeNames: names,
  names,
  protocol: ['', 'https', 'HTTP', 'sms', 'http,email'].map((value) => [value, `"${value}"`]),
  policy: [
    'x',
    '0',
    '-1',
    '1,2,3',
    '1;2',
    '1.5',
    '1209601',
    '1,-2',
    '1,100001',
    'max=1,max=2',
    'retries=1',
    '1,x=1',
  ].map((value) => [value, `"${value}"`]),
  limit: [...numbers, ['0', '0'], ['1001', '1001']],
  offset: numbers,
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
    ['unknown', 'that is unknown'],
  ],
  address: [
    ['', 'empty'],
    ['receiver.example.org', 'without a scheme'],
    ['//receiver.example.org/', 'relative'],
    ['ftp://receiver.example.org/', 'with another scheme'],
    ['javascript:alert(1)', 'a script'],
    ['file:///etc/passwd', 'a file'],
    ['http://', 'without a host'],
    ['http:receiver.example.org', 'without slashes'],
    ['http://user:secret@receiver.example.org/', 'with a password'],
    ['http://user@receiver.example.org/', 'with a user'],
    [`http://receiver.example.org/${'x'.repeat(2048)}`, 'too long'],
    ['http://receiver.example.org/a\r\nb', 'with two lines'],
    ['reader@example.org', 'a mailbox'],
  ],
};

/** Addresses that are not mailbox addresses. */
export const wrongMailboxes: Wrong = [
  ['', 'empty'],
  ['reader', 'without a domain'],
  ['reader@', 'with an empty domain'],
  ['@example.org', 'without a name'],
  ['reader@localhost', 'with a bare host name'],
  ['a@example.org,b@example.org', 'two mailboxes'],
  ['a@example.org b@example.org', 'two mailboxes with a space'],
  ['Reader <reader@example.org>', 'with a display name'],
  ['reader@example.org\r\nBcc: all@example.org', 'with an injected header'],
  ['reader@[127.0.0.1]', 'with an address literal'],
  ['"a b"@example.org', 'with quotes'],
  [`${'x'.repeat(65)}@example.org`, 'with a long name'],
  [`reader@${'x.'.repeat(130)}org`, 'too long'],
  ['http://receiver.example.org/', 'a URL'],
];
