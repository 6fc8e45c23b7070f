/**
 * The files that `/v1/{file}` returns. `reference` is an HTML page. `part` is the part of the API that a file describes;
 * undefined if the file describes no operations. The build generates each file when it bundles the functions.
 */
export const interfaceFiles = {
  'openapi.json': {
    mediaType: 'application/json',
    part: 'all',
    example: { openapi: '3.1.0', info: { title: 'Identity Registry and Notification Service' }, paths: {} },
  },
  'notification.yaml': {
    mediaType: 'application/yaml',
    part: 'notification',
    example: 'openapi: 3.1.0\ninfo:\n  version: 1.2.0\n…\n',
  },
  'identity.yaml': {
    mediaType: 'application/yaml',
    part: 'identity',
    example: 'openapi: 3.1.0\ninfo:\n  version: 1.0.0\n…\n',
  },
  reference: {
    mediaType: 'text/html',
    part: 'all',
    example: '<!doctype html><title>…</title>',
  },
  health: { mediaType: 'application/json', part: undefined, example: { status: 'ok' } },
} as const satisfies Record<string, { mediaType: string; part: string | undefined; example: unknown }>;

/** The error message for an unknown method or path. API Gateway returns the same message. */
export const unknownRoute =
  'no operation has this method and path; paths end without a slash, and /v1/openapi.json lists them';

/**
 * Placeholders in the OpenAPI files for the deployment's base URL and the URL of its token endpoint. URLs contain no
 * braces (RFC 3986), so no URL can contain a placeholder.
 */
export const interfaceMarks = { baseUrl: '{base_url}', tokenUrl: '{token_url}' } as const;
