import { type ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { dayMs } from '../../../shared/domain/time.ts';
import type { DeploymentSettings } from '../../settings/settings.ts';
import { counted } from '../counted.ts';
import { type Problem, unlessDenied } from './problem.ts';

/** Sends a GET request to a URL. */
export type Read = (url: string) => Promise<Pick<Response, 'ok' | 'json'>>;

async function readJson(read: Read, url: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const response = await read(url);
    return response.ok ? ((await response.json()) as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Checks that the issuer publishes its keys, and that its OpenID configuration matches the settings. */
export async function issuerProblems(read: Read, settings: DeploymentSettings): Promise<Problem[]> {
  const { oidcIssuer, oidcJwksUri, oidcTokenUrl } = settings;
  const keys = (await readJson(read, oidcJwksUri))?.keys;
  // An issuer need not publish its OpenID configuration (OpenID Connect Discovery 1.0, section 4).
  const described = await readJson(read, `${oidcIssuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const names = { oidcIssuer: 'issuer', oidcJwksUri: 'jwks_uri', oidcTokenUrl: 'token_endpoint' } as const;
  const given = { oidcIssuer, oidcJwksUri, oidcTokenUrl };
  return [
    ...(Array.isArray(keys) && keys.length > 0
      ? []
      : [
          {
            problem: `the issuer publishes no keys at ${oidcJwksUri} (setting oidcJwksUri), so all tokens would be rejected`,
            fix: 'correct the setting, or make the address available on the Internet',
          },
        ]),
    ...Object.entries(names).flatMap(([setting, name]) => {
      const value = described?.[name];
      if (value === undefined || value === given[setting as keyof typeof given]) return [];
      return [
        { problem: `setting ${setting} differs from the issuer's own ${name}`, fix: `set ${setting} to ${value}` },
      ];
    }),
  ];
}

const covers = (name: string, domain: string): boolean =>
  name === domain || (name.startsWith('*.') && domain.slice(domain.indexOf('.')) === name.slice(1));

const leastDays = 30;

/**
 * Checks that the certificate has been issued, is valid and covers the domain ("DescribeCertificate", ACM API
 * Reference).
 */
export const certificateProblems = (
  acm: Pick<ACMClient, 'send'>,
  { domainName, certificateArn }: Pick<DeploymentSettings, 'domainName' | 'certificateArn'>,
  now: number,
): Promise<Problem[]> =>
  unlessDenied('acm:DescribeCertificate', async () => {
    if (certificateArn === '') return [];
    const { Certificate } = await acm.send(new DescribeCertificateCommand({ CertificateArn: certificateArn }));
    const { Status = 'unknown', SubjectAlternativeNames = [], DomainName = '', NotAfter } = Certificate ?? {};
    const daysLeft = NotAfter === undefined ? Infinity : (NotAfter.getTime() - now) / dayMs;
    return [
      ...(Status === 'ISSUED'
        ? []
        : [
            {
              problem: `the certificate has the status ${Status}`,
              fix: 'create the DNS record that ACM shows, and wait',
            },
          ]),
      ...([DomainName, ...SubjectAlternativeNames].some((name) => covers(name, domainName))
        ? []
        : [
            { problem: `the certificate is not for ${domainName}`, fix: 'request a certificate for the domain in ACM' },
          ]),
      ...(daysLeft >= leastDays
        ? []
        : [
            {
              problem: `the certificate expires in ${counted(Math.floor(daysLeft), 'day')}`,
              fix: 'renew the certificate, or import it again in ACM',
            },
          ]),
    ];
  });
