import { CfnOutput } from 'aws-cdk-lib';
import { DomainName, EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { CfnApiMapping } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import { apiStage } from '../../shared/contract/api-stage.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

interface DomainProps {
  readonly rest: RestApi;
  readonly settings: DeploymentSettings;
}

/** Returns the path before the stage in the public address: `civil` in `https://registry.example/civil`. */
const pathOf = ({ baseUrl, domainName }: DeploymentSettings): string => {
  const { hostname, pathname } = URL.parse(baseUrl) ?? {};
  return hostname === domainName && pathname !== undefined ? pathname.replaceAll(/^\/+|\/+$/g, '') : '';
};

export class Domain extends Construct {
  constructor(scope: Construct, id: string, { rest, settings }: DomainProps) {
    super(scope, id);
    const { domainName, certificateArn, hostedZoneId } = settings;
    const domain = new DomainName(this, 'name', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    // Uses an API mapping because a base path mapping allows only one path segment.
    new CfnApiMapping(this, 'mapping', {
      ...{ apiId: rest.restApiId, domainName: domain.domainName, stage: rest.deploymentStage.stageName },
      apiMappingKey: [pathOf(settings), apiStage].filter((part) => part !== '').join('/'),
    });
    new CfnOutput(this, 'domainTarget', {
      value: domain.domainNameAliasDomainName,
      description: "Target of the domain's DNS record",
    }).overrideLogicalId('domainTarget');
    if (hostedZoneId === '') return;
    new CfnRecordSet(this, 'record', {
      ...{ hostedZoneId, name: domainName, type: 'A' },
      aliasTarget: { dnsName: domain.domainNameAliasDomainName, hostedZoneId: domain.domainNameAliasHostedZoneId },
    });
  }
}
