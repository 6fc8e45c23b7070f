import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Assembly } from '../../../infra/local/aws/template/template.ts';

type Resource = { Type: string; Properties?: Record<string, unknown> };

/** Returns the URL of a package, for function code that is stored in a temporary folder. */
export const packageUrl = (name: string): string => import.meta.resolve(name);

interface FunctionOptions {
  properties?: Record<string, unknown>;
  statements?: Record<string, unknown>[];
}

/** Creates a small cloud assembly in the format of `cdk synth`. */
export function createAssembly() {
  const directory = mkdtempSync(join(tmpdir(), 'assembly-'));
  const resources: Record<string, Resource & { Metadata: Record<string, unknown> }> = {};
  const files: Record<string, unknown> = {};

  const add = (name: string, Type: string, Properties: Record<string, unknown> = {}) => {
    resources[name] = { Type, Properties, Metadata: { 'aws:cdk:path': `Test/${name}/Resource` } };
    return name;
  };

  const addFunction = (name: string, code: string, { properties = {}, statements = [] }: FunctionOptions = {}) => {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'index.mjs'), code);
    files[name] = { source: { path: name }, destinations: { here: { objectKey: `${name}.zip` } } };
    add(`${name}Role`, 'AWS::IAM::Role');
    const PolicyDocument = { Statement: statements };
    add(`${name}Policy`, 'AWS::IAM::Policy', { PolicyDocument, Roles: [{ Ref: `${name}Role` }] });
    return add(name, 'AWS::Lambda::Function', {
      Code: { S3Bucket: 'assets', S3Key: `${name}.zip` },
      Handler: 'index.handler',
      Role: { 'Fn::GetAtt': [`${name}Role`, 'Arn'] },
      ...properties,
    });
  };

  const invocationUri = (name: string, isStreaming = false) => {
    const begin = 'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/';
    const end = isStreaming ? '/response-streaming-invocations' : '/invocations';
    return { 'Fn::Join': ['', [begin, { 'Fn::GetAtt': [name, 'Arn'] }, end]] };
  };

  const permit = (name: string) =>
    add(`${name}Permission`, 'AWS::Lambda::Permission', {
      Action: 'lambda:InvokeFunction',
      FunctionName: { 'Fn::GetAtt': [name, 'Arn'] },
      Principal: 'apigateway.amazonaws.com',
    });

  /** Adds an API that has a stage. `routes` maps `GET /a/{b}` to a function and an optional authorizer. */
  const addApi = (
    routes: Record<string, { target: string; authorizer?: string; integration?: object; isStreaming?: true }>,
  ) => {
    add('Api', 'AWS::ApiGateway::RestApi', { BinaryMediaTypes: ['image/png'] });
    add('Stage', 'AWS::ApiGateway::Stage', { StageName: 'v1', RestApiId: { Ref: 'Api' } });
    for (const [index, [route, { target, authorizer, integration, isStreaming }]] of Object.entries(routes).entries()) {
      const [HttpMethod, path = ''] = route.split(' ');
      let ResourceId: unknown = { 'Fn::GetAtt': ['Api', 'RootResourceId'] };
      let id = 'path';
      for (const PathPart of path.split('/').filter(Boolean)) {
        id += PathPart.replace(/\W/g, 'x');
        add(id, 'AWS::ApiGateway::Resource', { ParentId: ResourceId, PathPart, RestApiId: { Ref: 'Api' } });
        ResourceId = { Ref: id };
      }
      add(`Method${index}`, 'AWS::ApiGateway::Method', {
        HttpMethod,
        ResourceId,
        AuthorizationType: authorizer ? 'CUSTOM' : 'NONE',
        ...(authorizer && { AuthorizerId: { Ref: authorizer } }),
        Integration: { Type: 'AWS_PROXY', Uri: invocationUri(target, isStreaming), ...integration },
      });
    }
  };

  const write = (): Assembly => {
    writeFileSync(join(directory, 'Test.template.json'), JSON.stringify({ Resources: resources }));
    writeFileSync(join(directory, 'Test.assets.json'), JSON.stringify({ files }));
    return { directory, stackName: 'Test' };
  };

  return { directory, add, addFunction, invocationUri, permit, addApi, write };
}
