import type { Stack } from '../template/stack.ts';

export interface GatewayError {
  type: string;
  message?: string | null;
  status?: number;
}

interface RenderedResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface GatewayResponseProperties {
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters?: Record<string, string>;
  ResponseTemplates?: Record<string, string>;
}

interface Builtin {
  status: number;
  message: string | null;
  exception: string;
}

const builtins: Record<string, Builtin> = {
  ACCESS_DENIED: {
    status: 403,
    message: 'User is not authorized to access this resource',
    exception: 'AccessDeniedException',
  },
  API_CONFIGURATION_ERROR: { status: 500, message: 'Internal server error', exception: 'InternalServerErrorException' },
  AUTHORIZER_CONFIGURATION_ERROR: { status: 500, message: null, exception: 'AuthorizerConfigurationException' },
  AUTHORIZER_FAILURE: { status: 500, message: null, exception: 'AuthorizerFailureException' },
  BAD_REQUEST_PARAMETERS: {
    status: 400,
    message: 'Missing required request parameters',
    exception: 'BadRequestException',
  },
  BAD_REQUEST_BODY: { status: 400, message: 'Invalid request body', exception: 'BadRequestException' },
  INTEGRATION_FAILURE: {
    status: 504,
    message: 'Network error communicating with endpoint',
    exception: 'InternalServerErrorException',
  },
  INTEGRATION_TIMEOUT: {
    status: 504,
    message: 'Endpoint request timed out',
    exception: 'InternalServerErrorException',
  },
  MISSING_AUTHENTICATION_TOKEN: {
    status: 403,
    message: 'Missing Authentication Token',
    exception: 'MissingAuthenticationTokenException',
  },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long', exception: 'RequestTooLargeException' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized', exception: 'UnauthorizedException' },
  // AWS sends DEFAULT_5XX for failed functions and malformed function responses, which have no response type.
  DEFAULT_5XX: { status: 502, message: 'Internal server error', exception: 'InternalServerErrorException' },
};

const defaultTemplate = '{"message":$context.error.messageString}';

/** Replaces `$context.…` variables. Templates of gateway responses support no other feature. */
function renderTemplate(template: string, context: Record<string, unknown>): string {
  const variable = /\$(?:\{([a-zA-Z]+(?:\.[\w-]+)+)\}|((?:context|stageVariables)(?:\.[\w-]+)+))/g;
  return template.replace(variable, (_whole, braced: string | undefined, bare: string | undefined) => {
    const value = context[braced ?? bare ?? ''];
    return value === undefined ? '' : String(value);
  });
}

function headersOf(parameters: Record<string, string> | undefined, context: Record<string, unknown>) {
  const headers: Record<string, string> = {};
  for (const [target, source] of Object.entries(parameters ?? {})) {
    const name = target.match(/^gatewayresponse\.header\.(.+)$/)?.[1];
    const literal = source.match(/^'(.*)'$/)?.[1];
    const value = literal ?? context[source];
    if (name && value !== undefined) headers[name] = String(value);
  }
  return headers;
}

const quotedInJson = (text: string): string => JSON.stringify(JSON.stringify(text)).slice(1, -1);

/**
 * Returns a function that replaces the deployed value of every overridden variable in a string with the local value.
 */
function createOverrideReplacer(stack: Stack, overrides: Readonly<Record<string, string>>): (text: string) => string {
  const functions = stack
    .ofType('AWS::Lambda::Function')
    .map((one) => stack.properties<{ Environment?: { Variables?: Record<string, string> } }>(one));
  const pairs = Object.entries(overrides).flatMap(([name, value]) => {
    const deployed = new Set(functions.flatMap(({ Environment }) => Environment?.Variables?.[name] ?? []));
    return [...deployed].map((one) => [quotedInJson(one), quotedInJson(value)] as const);
  });
  return (text) => pairs.reduce((replaced, [deployed, local]) => replaced.replaceAll(deployed, () => local), text);
}

/**
 * Returns a function that renders gateway errors. Responses that are not in the template have the default text from
 * AWS.
 * @param overrides local values of environment variables, which replace the deployed values in responses
 */
export function readGatewayResponses(stack: Stack, overrides: Readonly<Record<string, string>> = {}) {
  const replaceOverrides = createOverrideReplacer(stack, overrides);
  const declared = new Map(
    stack.ofType('AWS::ApiGateway::GatewayResponse').map((resource) => {
      const properties = stack.properties<GatewayResponseProperties>(resource);
      return [properties.ResponseType, properties];
    }),
  );

  return (error: GatewayError, request: Record<string, unknown>): RenderedResponse => {
    const builtin = builtins[error.type] ?? { status: 500, message: 'Internal server error', exception: 'Unknown' };
    const status = error.status ?? builtin.status;
    const response = declared.get(error.type) ?? declared.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    const message = error.message === undefined ? builtin.message : error.message;
    const context = {
      ...request,
      'context.error.message': message,
      'context.error.messageString': JSON.stringify(message),
      'context.error.responseType': error.type,
    };
    const [contentType, template] = Object.entries(response?.ResponseTemplates ?? {})
      .toSorted(([a]) => (a === 'application/json' ? -1 : 1))
      .at(0) ?? ['application/json', defaultTemplate];
    return {
      status: Number(response?.StatusCode ?? status),
      headers: {
        'Content-Type': contentType,
        'x-amzn-ErrorType': builtin.exception,
        ...headersOf(response?.ResponseParameters, context),
      },
      body: renderTemplate(replaceOverrides(template), context),
    };
  };
}
