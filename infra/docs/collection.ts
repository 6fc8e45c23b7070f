import {
  type OpenApiFile,
  operationsByTag,
  type Parameter,
  type PlacedOperation,
} from '../../shared/contract/openapi/openapi-file.ts';

const textOf = (example: unknown): string => (typeof example === 'string' ? example : JSON.stringify(example ?? ''));

const variable = ({ name, description, example, required = false }: Parameter) => ({
  key: name,
  value: textOf([example].flat()[0]),
  description,
  ...(required ? {} : { disabled: true }),
});

function bodyOf({ requestBody }: PlacedOperation) {
  const [[type = '', { example = '' } = {}] = []] = Object.entries(requestBody?.content ?? {});
  if (requestBody === undefined) return { headers: [], body: {} };
  const raw = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return {
    headers: [{ key: 'Content-Type', value: type }],
    body: { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } },
  };
}

function requestOf(operation: PlacedOperation) {
  const { method, path, description, security, parameters } = operation;
  const inPlace = (place: string) => parameters.filter((one) => one.in === place).map(variable);
  const { headers, body } = bodyOf(operation);
  const parts = path.split('/').slice(1);
  return {
    method,
    description,
    url: {
      raw: `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      host: ['{{baseUrl}}'],
      path: parts.map((part) => part.replace(/^\{(\w+)\}$/, ':$1')),
      query: inPlace('query'),
      variable: inPlace('path'),
    },
    header: [...headers, ...inPlace('header')],
    ...body,
    ...(security.length === 0 ? { auth: { type: 'noauth' } } : {}),
  };
}

/**
 * Returns a Postman collection (format 2.1) of all operations, with one folder per tag. Bruno and Insomnia can also
 * import this collection. Users set the variables `clientId`, `clientSecret` and `scope`. Optional parameters are
 * disabled.
 */
export function collectionOf(file: OpenApiFile, tokenUrl: string): object {
  const { info, servers } = file;
  const oauth2 = {
    grant_type: 'client_credentials',
    accessTokenUrl: '{{tokenUrl}}',
    clientId: '{{clientId}}',
    clientSecret: '{{clientSecret}}',
    scope: '{{scope}}',
    addTokenTo: 'header',
  };
  const variables = { baseUrl: servers[0]?.url ?? '', tokenUrl, clientId: '', clientSecret: '', scope: '' };
  return {
    info: {
      name: info.title,
      description: info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'oauth2',
      oauth2: Object.entries(oauth2).map(([key, value]) => ({ key, value, type: 'string' })),
    },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: operationsByTag(file).map(({ name, description, operations }) => ({
      name,
      description,
      item: operations.map((operation) => ({ name: operation.summary, request: requestOf(operation) })),
    })),
  };
}
