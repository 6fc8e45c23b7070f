import fc from 'fast-check';

type Json = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Json;
  readonly example: unknown;
}

/** The parts of an OpenAPI operation that the generator uses. */
export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: unknown }>> };
}

/** A request that was generated from the description of an operation. */
export interface MadeUp {
  readonly method: string;
  /** The path after the base URL, with the query, exactly as it is sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

// Text that often breaks parsers.
const awkward = fc.constantFrom(
  ...['', ' ', '\u0000', '\u001f', '\ufeff', '\ufffd', '\u202e', '%', '%00', '../..', "'", '"', '<b>', '[]', '{}', ','],
  ...'__proto__ constructor null NaN -1 0 1e9 007 999999999999999999999 １２ é e\u0301 👶 2024-02-30 0000-00-00'.split(
    ' ',
  ),
  ...['x'.repeat(257), 'x'.repeat(3000), '2024-02-29T00:00:00Z', '9999-12-31'],
);
const text = fc.oneof(awkward, fc.string({ unit: 'grapheme', maxLength: 99 }), fc.string({ maxLength: 20 }), fc.uuid());

function atBounds({ minimum, maximum }: Json): fc.Arbitrary<string> {
  const bounds = [minimum, maximum].filter((bound) => typeof bound === 'number');
  return fc.constantFrom(...bounds.flatMap((bound) => [bound - 1, bound, bound + 1]).map(String), '0');
}

function givenFor({ schema, example }: Parameter): fc.Arbitrary<string> {
  const examples = [example].flat().map(String);
  const allowed = Array.isArray(schema.enum) ? schema.enum.map(String) : examples;
  const good = fc.constantFrom(...examples, ...allowed);
  return fc.oneof(
    { weight: 6, arbitrary: good },
    { weight: 2, arbitrary: text },
    ...(schema.type === 'integer' ? [{ weight: 2, arbitrary: atBounds(schema) }] : []),
  );
}

// Most values are percent-encoded as usual. Other values use + for spaces, encode every byte, or are Latin-1 text.
const encoding = fc.constantFrom(
  ...[encodeURIComponent, encodeURIComponent, encodeURIComponent],
  (value: string) => encodeURIComponent(value).replace(/%20/g, '+'),
  (value: string) => Buffer.from(value).toString('hex').replace(/../g, '%$&'),
  (value: string) => Buffer.from(value, 'latin1').toString('hex').replace(/../g, '%$&'),
);

const encoded = (value: fc.Arbitrary<string>) =>
  fc.tuple(value, encoding).map(([one, encode]) => encode(one.toWellFormed()));

const bodyOf = (example: unknown): fc.Arbitrary<Uint8Array<ArrayBuffer>> => {
  const whole = JSON.stringify(example);
  const mangled = fc.tuple(fc.nat(whole.length), text).map(([at, one]) => whole.slice(0, at) + one + whole.slice(at));
  const exchanged = fc
    .tuple(fc.constantFrom(...Object.keys(example as object), 'source', 'uin'), fc.jsonValue())
    .map(([key, value]) => JSON.stringify({ ...(example as object), [key]: value }));
  const texts = fc.oneof(fc.constant(whole), fc.constant(`\ufeff${whole}`), mangled, exchanged, fc.json(), text);
  return fc.oneof(
    { weight: 9, arbitrary: texts.map((one) => new Uint8Array(Buffer.from(one))) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes)) },
  );
};

/** Generates requests for an operation. Most of the requests are valid, but some contain random errors. */
export function requestsTo(path: string, method: string, operation: Operation): fc.Arbitrary<MadeUp> {
  const { parameters, requestBody } = operation;
  const inPath = parameters.filter((one) => one.in === 'path');
  const others = parameters.filter((one) => one.in === 'query');
  const inHeader = parameters.filter((one) => one.in === 'header');
  const pair = (one: Parameter) => encoded(givenFor(one)).map((value) => `${one.name}=${value}`);
  const pairs = (one: Parameter) => {
    const times = { minLength: 0, maxLength: 2 };
    if (!one.required) return fc.oneof(fc.constant([]), fc.constant([]), fc.array(pair(one), times));
    return fc.oneof(
      { weight: 8, arbitrary: fc.array(pair(one), { minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(pair(one), times) },
    );
  };
  const stranger = encoded(text).map((one) => [`${one}=1`]);
  const query = fc.tuple(
    ...others.map(pairs),
    fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: stranger }),
  );
  const example = Object.values(requestBody?.content ?? {})[0]?.example;
  // Headers allow only printable ASCII.
  const header = (one: Parameter) =>
    givenFor(one).map((value) => [one.name, value.replace(/[^\x21-\x7e]/g, '')] as const);
  return fc
    .record({
      path: fc.tuple(...inPath.map((one) => encoded(givenFor(one)))),
      query,
      headers: fc.tuple(...inHeader.map((one) => fc.option(header(one), { nil: undefined }))),
      body: example === undefined ? fc.constant(undefined) : fc.oneof(bodyOf(example), fc.constant(undefined)),
    })
    .map((made) => {
      const place = inPath.reduce((all, { name }, at) => all.replace(`{${name}}`, () => made.path[at] || '%20'), path);
      const search = made.query.flat().join('&');
      return {
        method,
        target: `${place}${search === '' ? '' : `?${search}`}`,
        headers: Object.fromEntries(made.headers.filter((one) => one !== undefined)),
        body: made.body,
      };
    });
}
