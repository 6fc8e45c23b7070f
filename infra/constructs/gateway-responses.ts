import { Token } from 'aws-cdk-lib';
import { type GatewayResponseOptions, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type RefusalName, refusals, unknownRoute } from '../../shared/model/refusals.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

// CDK puts `gatewayresponse.header.` before these names itself.
const headers = {
  'Cache-Control': "'no-store'",
  'X-Content-Type-Options': "'nosniff'",
};

/** An Error object for what the gateway itself answers. `$context` values are filled in by the gateway. */
function errorObject(refusal: RefusalName, message: string, more: Record<string, string> = {}): GatewayResponseOptions {
  const { code, status } = refusals[refusal];
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

/** The settings that access tokens are checked against. */
type Issuer = Pick<DeploymentSettings, 'oidcIssuer' | 'oidcAudience'>;

const unexpected = errorObject('unexpected', 'unexpected error on our side; report request $context.requestId');
const noOperation = errorObject('unknownRoute', unknownRoute);

// The gateway fills in what it knows within its answers, and nothing else: not what a setting happens to say.
// What another stack gives is no text yet, and an address of AWS's own.
const literal = (text: string): string =>
  Token.isUnresolved(text) ? `"${text}"` : JSON.stringify(text).replaceAll('$', '\\u0024');

/**
 * A refusing authorizer can hand nothing over, so the gateway says what is expected and how to find out what was wrong. It
 * cannot tell a missing token from a bad one (RFC 6750 section 3.1 would leave the error out then).
 */
function badToken({ oidcIssuer, oidcAudience }: Issuer): GatewayResponseOptions {
  const [issuer, audience] = [literal(oidcIssuer), literal(oidcAudience)];
  const quoted = (json: string): string => `\\"${json.slice(1, -1)}\\"`;
  const { code } = refusals.unauthenticated;
  const message =
    `send a valid access token: Authorization: Bearer <token>, of the issuer ${quoted(issuer)}, for the audience ` +
    `${quoted(audience)}; this one is missing, has expired or is not valid here; where one was sent, the log says why under request $context.requestId`;
  return {
    ...unauthenticated('', invalidToken),
    templates: { 'application/json': `{"code":${code},"message":"${message}"}` },
  };
}

/** Every answer that the gateway gives without us. */
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
  [ResponseType.REQUEST_TOO_LARGE, errorObject('bodyTooLarge', 'the body is larger than this API takes')],
  [ResponseType.THROTTLED, errorObject('throttled', 'too many requests: wait a second and try again')],
  [ResponseType.QUOTA_EXCEEDED, errorObject('throttled', 'the quota is used up: try again later')],
  [
    ResponseType.WAF_FILTERED,
    errorObject(
      'filtered',
      'this request looks like an attack and was not served: report request $context.requestId if it is none',
    ),
  ],
  [ResponseType.INTEGRATION_TIMEOUT, errorObject('timedOut', 'no answer in time; try again')],
  [ResponseType.DEFAULT_5XX, unexpected],
];

// Its own status stays: many kinds of bad requests end here.
const { statusCode: _, ...anyRequest } = errorObject('invalidParameter', '');
// Its words may quote the request: as a JSON string, quotes and all.
const template = `{"code":${refusals.invalidParameter.code},"message":$context.error.messageString}`;
const badRequest = { ...anyRequest, templates: { 'application/json': template } };

/** Makes every error answer of the gateway an Error object. */
export function addGatewayResponses(api: RestApi, issuer: Issuer): void {
  api.addGatewayResponse('default4xx', { ...badRequest, type: ResponseType.DEFAULT_4XX });
  for (const [type, options] of answersFor(issuer)) {
    api.addGatewayResponse(type.responseType.toLowerCase().replaceAll('_', '-'), { ...options, type });
  }
}
