import type { LocalFunction, Runtime } from '../functions/runtime.ts';
import type { PermissionProperties } from '../template/access.ts';
import { matchesPattern } from '../template/policy.ts';
import type { Stack } from '../template/stack.ts';

export interface Integration {
  Type: string;
  Uri?: string;
  TimeoutInMillis?: number;
  IntegrationResponses?: { StatusCode: string; ResponseParameters?: Record<string, string> }[];
}

interface MethodProperties {
  HttpMethod: string;
  ResourceId: string;
  AuthorizationType?: string;
  AuthorizerId?: string;
  RequestParameters?: Record<string, boolean>;
  RequestModels?: Record<string, unknown>;
  RequestValidatorId?: string;
  Integration?: Integration;
}

interface Route {
  method: string;
  /** The path with its placeholders, such as `/v1/topics/{name}`. */
  resourcePath: string;
  authorizerId: string | undefined;
  integration: Integration;
  target: LocalFunction | undefined;
  isStreaming: boolean;
  requiredParameters: string[];
}

export interface RouteMatch {
  route: Route;
  /** The values of the path's placeholders, percent-encoded as in REST APIs. */
  pathParameters: Record<string, string>;
}

function resourcePaths(stack: Stack): Map<string, string> {
  const parents = new Map(
    stack.ofType('AWS::ApiGateway::Resource').map((resource) => {
      const { ParentId, PathPart } = stack.properties<{ ParentId: string; PathPart: string }>(resource);
      return [stack.nameOf(resource), { ParentId, PathPart }];
    }),
  );
  const pathOf = (id: string): string => {
    const resource = parents.get(id);
    return resource ? `${pathOf(resource.ParentId)}/${resource.PathPart}` : '';
  };
  return new Map([['root', '/'], ...[...parents.keys()].map((id): [string, string] => [id, pathOf(id)])]);
}

function requiredParameters(stack: Stack, method: MethodProperties, place: string): string[] {
  const validator = stack
    .ofType('AWS::ApiGateway::RequestValidator')
    .find((resource) => stack.nameOf(resource) === method.RequestValidatorId);
  if (!validator) return [];
  const checks = stack.properties<{ ValidateRequestBody?: boolean; ValidateRequestParameters?: boolean }>(validator);
  if (checks.ValidateRequestBody && method.RequestModels) {
    throw new Error(`${place}: validating bodies against a model is not supported locally`);
  }
  if (!checks.ValidateRequestParameters) return [];
  return Object.entries(method.RequestParameters ?? {}).flatMap(([name, required]) => (required ? [name] : []));
}

export function readRoutes(stack: Stack, runtime: Runtime): Route[] {
  const paths = resourcePaths(stack);
  return stack.ofType('AWS::ApiGateway::Method').map((resource): Route => {
    const method = stack.properties<MethodProperties>(resource);
    const integration = method.Integration ?? { Type: 'MOCK' };
    const functionArn = integration.Uri?.match(/\/functions\/(.+)\/(?:response-streaming-)?invocations$/)?.[1];
    const target = functionArn === undefined ? undefined : runtime.find(functionArn);
    if (!target && integration.Type !== 'MOCK') {
      throw new Error(`${resource.logicalId}: no function for the ${integration.Type} integration ${integration.Uri}`);
    }
    return {
      method: method.HttpMethod,
      resourcePath: paths.get(method.ResourceId) ?? '/',
      authorizerId: method.AuthorizationType === 'CUSTOM' ? method.AuthorizerId : undefined,
      integration,
      target,
      isStreaming: integration.Uri?.endsWith('/response-streaming-invocations') ?? false,
      requiredParameters: requiredParameters(stack, method, resource.logicalId),
    };
  });
}

function matchPath(resourcePath: string, segments: string[]): Record<string, string> | undefined {
  const parts = resourcePath.split('/').filter(Boolean);
  const parameters: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const greedy = part.match(/^\{(.+)\+\}$/)?.[1];
    if (greedy)
      return segments.length > index ? { ...parameters, [greedy]: segments.slice(index).join('/') } : undefined;
    const segment = segments[index];
    if (segment === undefined) return undefined;
    const name = part.match(/^\{(.+)\}$/)?.[1];
    if (name) parameters[name] = segment;
    else if (part !== segment) return undefined;
  }
  return parts.length === segments.length ? parameters : undefined;
}

/** Returns a key that sorts literals before placeholders, greedy placeholders last, and specific methods before ANY. */
function specificity({ resourcePath, method }: Route): string {
  const rank = (part: string) => (!part.startsWith('{') ? '0' : part.endsWith('+}') ? '2' : '1');
  return resourcePath.split('/').filter(Boolean).map(rank).join('').padEnd(20, '3') + (method === 'ANY' ? '1' : '0');
}

export function createRouter(routes: Route[]): (method: string, path: string) => RouteMatch | undefined {
  const ordered = routes.toSorted((a, b) => (specificity(a) < specificity(b) ? -1 : 1));
  return (method, path) => {
    // Paths with empty segments match no route: `/v1/topics/` differs from `/v1/topics`.
    const segments = path.split('/').slice(1);
    if (segments.includes('')) return undefined;
    for (const route of ordered) {
      if (route.method !== method && route.method !== 'ANY') continue;
      const pathParameters = matchPath(route.resourcePath, segments);
      if (pathParameters) return { route, pathParameters };
    }
    return undefined;
  };
}

/** Returns a function that checks whether an `AWS::Lambda::Permission` allows a service to invoke a function. */
export function readPermissions(stack: Stack) {
  const permissions = stack
    .ofType('AWS::Lambda::Permission')
    .map((resource) => stack.properties<PermissionProperties>(resource));
  return (principal: string, target: LocalFunction, sourceArn: string): boolean =>
    permissions.some(
      ({ Principal, FunctionName, SourceArn }) =>
        Principal === principal &&
        (FunctionName === target.name || FunctionName.startsWith(target.arn)) &&
        (SourceArn === undefined || matchesPattern(SourceArn, sourceArn)),
    );
}
