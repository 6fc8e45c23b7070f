import addFormats from 'ajv-formats';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { parse } from 'yaml';
import { type ProxyRequest, type Reply, startFaultyProxy } from '../conformance/faulty-proxy.ts';
import { errorCodesIn } from './openapi-document.ts';

interface DescribedResponse {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, object>>;
}

/** Reads an OpenAPI file. Returns functions that check requests and responses against it. */
async function readDocument(text: string) {
  // `quick` skips the validation of the OpenAPI file, because the validator does not support OpenAPI 3.1.
  const definition = parse(text) as Document;
  const api = new OpenAPIBackend({ definition, quick: true, customizeAjv: (ajv) => addFormats.default(ajv) });
  await api.init();
  const { router, validator } = api;

  function find(request: ProxyRequest) {
    try {
      return router.matchOperation(request);
    } catch {
      // The percent-encoding of the path is invalid.
      return undefined;
    }
  }

  /** Describes how a response deviates from the OpenAPI file. Returns undefined if the response conforms. */
  function deviationOf(request: ProxyRequest, { status, headers, body }: Reply): string | undefined {
    const operation = find(request);
    // API Gateway returns 403 for paths outside the stage.
    if (operation === undefined) return [403, 404].includes(status) ? undefined : `status ${status} without operation`;
    const declared = operation.responses?.[status] as DescribedResponse | undefined;
    if (status >= 500 || declared === undefined) return `status ${status}`;
    const missing = Object.entries(declared.headers ?? {}).filter(
      ([name, { required }]) => required && headers[name.toLowerCase()] === undefined,
    );
    if (missing.length > 0) return `no header ${missing.map(([name]) => name)}`;
    if (body === '') return undefined;
    const type = headers['content-type']?.split(';')[0] ?? '';
    if (declared.content?.[type] === undefined) return `content type ${type}`;
    if (type !== 'application/json') return undefined;
    const json = JSON.parse(body);
    const codes = errorCodesIn({ description: operation.description ?? '' });
    if (status >= 400 && !codes.includes(json.code)) return `error code ${json.code}`;
    const [error] = validator.validateResponse(json, operation, status).errors ?? [];
    return error && `body: ${JSON.stringify(error)}`;
  }

  /** Describes how an accepted request deviates from the OpenAPI file. Returns undefined if the request conforms. */
  function wrongIn(request: ProxyRequest, { status }: Reply): string | undefined {
    if (status >= 400) return undefined;
    const [error] = validator.validateRequest(request, find(request)).errors ?? [];
    return error && `request: ${JSON.stringify(error)}`;
  }

  return { find, deviationOf, wrongIn };
}

/**
 * Reads the OpenAPI files that a deployment serves. Returns a function that compares a request and its response with
 * the OpenAPI 3.1 file and with the 3.0 file that contains the operation.
 * @param checksRequests whether accepted requests must also conform to the files
 */
export async function readServedDocuments(baseUrl: string, checksRequests = false) {
  const read = async (name: string) => readDocument(await (await fetch(`${baseUrl}/v1/${name}`)).text());
  const whole = await read('openapi.json');
  const parts = await Promise.all(['notification.yaml', 'identity.yaml'].map(read));
  return (request: ProxyRequest, reply: Reply): string | undefined =>
    [whole, ...parts.filter(({ find }) => find(request) !== undefined)]
      .map(
        ({ deviationOf, wrongIn }) =>
          deviationOf(request, reply) ?? (checksRequests ? wrongIn(request, reply) : undefined),
      )
      .find((deviation) => deviation !== undefined);
}

// The proxy passes bodies as latin1 text.
const decoded = <Message extends { readonly body: string }>(message: Message): Message => ({
  ...message,
  body: Buffer.from(message.body, 'latin1').toString(),
});

/** Starts a proxy that returns 502 if a request or its response does not conform to the served OpenAPI files. */
export async function startValidatingProxy(baseUrl: string, checksRequests = false) {
  const deviationOf = await readServedDocuments(baseUrl, checksRequests);
  const deviations: string[] = [];
  let exchanges = 0;
  const proxy = await startFaultyProxy(() => baseUrl, {
    reply(reply, request) {
      exchanges++;
      const deviation = deviationOf(decoded(request), decoded(reply));
      if (deviation === undefined) return {};
      deviations.push(`${request.method} ${request.path}: ${deviation}`);
      return { status: 502, body: deviation };
    },
  });
  return { ...proxy, deviations, exchanges: () => exchanges };
}
