import { Token } from 'aws-cdk-lib';
import { type GatewayResponseOptions, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { unknownRoute } from '../../shared/contract/interface-files.ts';
import { type ClientErrorName, clientErrors } from '../../shared/domain/client-errors.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

// CDK adds the prefix `gatewayresponse.header.` to these header names.
const headers = {
  'Cache-Control': "'no-store'",
  'X-Content-Type-Options': "'nosniff'",
};

/**
 * Returns a response that the gateway itself sends, with an Error object as its body. The gateway replaces `$context`
 * variables.
 */
function errorObject(
  refusal: ClientErrorName,
  message: string,
  more: Record<string, string> = {},
): GatewayResponseOptions {
  const { code, status } = clientErrors[refusal];
  return {
    type: ResponseType.DEFAULT_4XX,
    statusCode: String(status),
    templates: { 'application/json': JSON.stringify({ code, message }) },
    responseHeaders: { ...headers, ...more },
  };
}

const unauthenticated = (message: string, challenge: string): GatewayResponseOptions =>
  errorObject('unauthenticated', message, { 'WWW-Authenticate': `'${challenge}'` });

const invalidToken = 'Bearer error="invalid_token"';

type Issuer = Pick<DeploymentSettings, 'oidcIssuer' | 'oidcAudience'>;

const unexpected = errorObject('unexpected', 'unexpected error on our side; report request $context.requestId');
const noOperation = errorObject('unknownRoute', unknownRoute);

// Escapes each `$` in a setting, because the gateway would treat it as the beginning of a variable. The URL of a user
// pool is not escaped, because it is a CDK token.
const literal = (text: string): string =>
  Token.isUnresolved(text) ? `"${text}"` : JSON.stringify(text).replaceAll('$', '\\u0024');

/**
 * Describes the expected token, and says where the reason for the rejection is logged, because an authorizer cannot
 * pass a reason to the gateway. The gateway cannot distinguish missing tokens from invalid tokens, so both cause the
 * same error code. RFC 6750, section 3.1, specifies no error code for a missing token.
 */
function badToken({ oidcIssuer, oidcAudience }: Issuer): GatewayResponseOptions {
  const [issuer, audience] = [literal(oidcIssuer), literal(oidcAudience)];
  const quoted = (json: string): string => `\\"${json.slice(1, -1)}\\"`;
  const { code } = clientErrors.unauthenticated;
  const message =
    `send a valid access token: Authorization: Bearer <token>, from the issuer ${quoted(issuer)}, for the audience ` +
    `${quoted(audience)}; this one is missing, has expired or is not valid here; ` +
    'if you sent a token, the log contains the reason for request $context.requestId';
  return {
    ...unauthenticated('', invalidToken),
    templates: { 'application/json': `{"code":${code},"message":"${message}"}` },
  };
}

const answersFor = (issuer: Issuer): readonly (readonly [ResponseType, GatewayResponseOptions])[] => [
  [ResponseType.UNAUTHORIZED, badToken(issuer)],
  [
    ResponseType.ACCESS_DENIED,
    errorObject('forbidden', 'insufficient_scope: the access token needs the scope $context.authorizer.needs', {
      'WWW-Authenticate': 'context.authorizer.challenge',
    }),
  ],
  [ResponseType.EXPIRED_TOKEN, unauthenticated('the access token has expired', invalidToken)],
  [ResponseType.INVALID_SIGNATURE, badToken(issuer)],
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, noOperation],
  [ResponseType.RESOURCE_NOT_FOUND, noOperation],
  [ResponseType.REQUEST_TOO_LARGE, errorObject('bodyTooLarge', 'the body is larger than this API accepts')],
  [ResponseType.THROTTLED, errorObject('throttled', 'too many requests: wait a second and try again')],
  [ResponseType.QUOTA_EXCEEDED, errorObject('throttled', 'the quota is used up: try again later')],
  [
    ResponseType.WAF_FILTERED,
    errorObject(
      'filtered',
      'this request looks like an attack and was rejected: report request $context.requestId if it is legitimate',
    ),
  ],
  [ResponseType.INTEGRATION_TIMEOUT, errorObject('timedOut', 'no response in time; try again')],
  [ResponseType.DEFAULT_5XX, unexpected],
];

// Keeps the gateway's own status, because this response covers many kinds of invalid requests.
const { statusCode: _, ...anyRequest } = errorObject('invalidParameter', '');
// The gateway's error message may quote the request, so the template uses the JSON-escaped message with its quotation
// marks.
const template = `{"code":${clientErrors.invalidParameter.code},"message":$context.error.messageString}`;
const badRequest = { ...anyRequest, templates: { 'application/json': template } };

export function addGatewayResponses(api: RestApi, issuer: Issuer): void {
  api.addGatewayResponse('default4xx', { ...badRequest, type: ResponseType.DEFAULT_4XX });
  for (const [type, options] of answersFor(issuer)) {
    api.addGatewayResponse(type.responseType.toLowerCase().replaceAll('_', '-'), { ...options, type });
  }
}
