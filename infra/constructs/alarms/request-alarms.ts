import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { authorizer } from '../../../shared/contract/authorizer.ts';
import { namesOf } from '../../../shared/contract/deployment-names.ts';
import { generateUin } from '../../../shared/contract/endpoints/persons-endpoints.ts';
import { publishEvent } from '../../../shared/contract/endpoints/topics-endpoints.ts';
import { settingValue } from '../../settings/settings.ts';
import type { Monitored } from '../monitored.ts';
import { registryMetric } from '../monitored.ts';
import { rateRules } from '../protection/rate-rules.ts';
import { type AddAlarm, period } from './add-alarm.ts';

/** Adds alarms for requests: failures, latency, rejected tokens and blocked clients. */
export function requestAlarms(addAlarm: AddAlarm, monitored: Monitored): void {
  const { stage, settings, service } = monitored;
  const { api } = service;
  const ofApi = (metricName: string, statistic: string) =>
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      dimensionsMap: { ApiName: namesOf(stage).api },
      statistic,
      period,
    });
  addAlarm('requestsFail', {
    metric: new MathExpression({
      expression: 'IF((errors >= 5 AND errors * 100 >= requests) OR errors >= 50, errors, 0)',
      usingMetrics: { errors: ofApi('5XXError', 'Sum'), requests: ofApi('Count', 'Sum') },
      period,
      label: 'requests that failed',
    }),
    threshold: 5,
    times: 2,
  });
  addAlarm('requestsSlow', { metric: ofApi('Latency', 'p90'), threshold: 3000, times: 3, isPercentile: true });
  const errors = api.authorize.lambda.metricErrors({ period });
  const invocations = api.authorize.lambda.metricInvocations({ period });
  addAlarm('allTokensRejected', {
    // Lambda counts each rejected token as an error. If every token is rejected, the number of errors equals the number
    // of invocations.
    metric: new MathExpression({
      expression: 'IF(errors >= 20 AND errors >= invocations, errors, 0)',
      usingMetrics: { errors, invocations },
      period,
      label: 'rejected, and none accepted',
    }),
    threshold: 20,
    times: 2,
  });
  addAlarm('tokensUnverifiable', {
    metric: registryMetric('Faults', { stage, of: authorizer.name, statistic: 'Sum', period: Duration.minutes(15) }),
    threshold: 1,
    times: 2,
  });
  addAlarm('tokensThrottled', {
    metric: api.authorize.lambda.metricThrottles({ period }),
    threshold: 20,
    times: 2,
  });
  if (settingValue(settings, 'waf')) limitAlarms(addAlarm, monitored);
  // Failures of all other operations raise only the alarms that cover all requests.
  for (const { operation } of [generateUin, publishEvent]) {
    const serving = api.functions.find(({ lambda }) => lambda.node.id === operation);
    if (serving === undefined) throw new Error(`${operation} is not deployed`);
    crashAlarm(addAlarm, serving);
  }
}

/**
 * Adds an alarm for each rate limit of the web ACL. Requests that are blocked by AWS rule groups have metrics but no
 * alarm.
 */
function limitAlarms(addAlarm: AddAlarm, { stage, service }: Monitored): void {
  for (const { name, by, perMinute } of rateRules) {
    addAlarm('clientsBlocked', {
      of: name,
      subject: `Limit ${name}: ${perMinute} requests a minute by ${by}.`,
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

/** Adds an alarm for a function's invocations that return no response. */
export function crashAlarm(addAlarm: AddAlarm, { lambda, impact }: Monitored['service']['api']['authorize']): void {
  addAlarm('functionCrashes', {
    of: lambda.node.id,
    subject: `${lambda.node.id} ends without a response. ${impact}`,
    metric: lambda.metricErrors({ period }),
    threshold: 3,
    times: 2,
  });
}
