import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { authorizer } from '../../../shared/contract/authorizer.ts';
import { namesOf } from '../../../shared/contract/deployment-names.ts';
import { generateUin } from '../../../shared/contract/endpoints/persons.ts';
import { publishEvent } from '../../../shared/contract/endpoints/topics.ts';
import { settingValue } from '../../settings/settings.ts';
import type { Watched } from '../../watched.ts';
import { ownMetric } from '../own-metric.ts';
import { rateRules } from '../protection/rate-rules.ts';
import { period, type Ring } from './add-alarm.ts';

/** Whether people get through: to the API, and past the authorizer. */
export function requestAlarms(ring: Ring, watched: Watched): void {
  const { stage, settings, service } = watched;
  const { api } = service;
  const ofApi = (metricName: string, statistic: string) =>
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      dimensionsMap: { ApiName: namesOf(stage).api },
      statistic,
      period,
    });
  ring('requestsFail', {
    metric: new MathExpression({
      expression: 'IF((errors >= 5 AND errors * 100 >= requests) OR errors >= 50, errors, 0)',
      usingMetrics: { errors: ofApi('5XXError', 'Sum'), requests: ofApi('Count', 'Sum') },
      period,
      label: 'requests that failed',
    }),
    threshold: 5,
    times: 2,
  });
  ring('requestsSlow', { metric: ofApi('Latency', 'p90'), threshold: 3000, times: 3, isPercentile: true });
  const errors = api.authorize.lambda.metricErrors({ period });
  const invocations = api.authorize.lambda.metricInvocations({ period });
  ring('everybodyRefused', {
    // To Lambda a refused token is an error.
    metric: new MathExpression({
      expression: 'IF(errors >= 20 AND errors >= invocations, errors, 0)',
      usingMetrics: { errors, invocations },
      period,
      label: 'refused, and nobody recognised',
    }),
    threshold: 20,
    times: 2,
  });
  ring('callersUnknown', {
    metric: ownMetric('Faults', { stage, of: authorizer.name, statistic: 'Sum', period: Duration.minutes(15) }),
    threshold: 1,
    times: 2,
  });
  if (settingValue(settings, 'waf')) refusalAlarms(ring, watched);
  // Any other that fails shows among the requests.
  for (const { operation } of [generateUin, publishEvent]) {
    const serving = api.functions.find(({ lambda }) => lambda.node.id === operation);
    if (serving === undefined) throw new Error(`${operation} is not deployed`);
    crashAlarm(ring, serving);
  }
}

/** Rings where the web ACL, which is one of a stack beside, refuses by a limit: what a group of AWS refuses is told by its metrics only. */
function refusalAlarms(ring: Ring, { stage, service }: Watched): void {
  for (const { name, by, perMinute } of rateRules) {
    ring('clientsRefused', {
      of: name,
      says: `By the limit ${name}: ${perMinute} a minute by ${by}.`,
      metric: new Metric({
        namespace: 'AWS/WAFV2',
        metricName: 'BlockedRequests',
        dimensionsMap: { WebACL: namesOf(stage).webAcl, Rule: name, Region: service.region },
        statistic: 'Sum',
        period,
      }),
      threshold: 100,
      times: 3,
    });
  }
}

/** Rings where a function ends without an answer. */
export function crashAlarm(ring: Ring, { lambda, impact }: Watched['service']['api']['authorize']): void {
  ring('functionCrashes', {
    of: lambda.node.id,
    says: `${lambda.node.id} ends without an answer. ${impact}`,
    metric: lambda.metricErrors({ period }),
    threshold: 3,
    times: 2,
  });
}
