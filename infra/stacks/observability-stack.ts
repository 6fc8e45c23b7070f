import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  type IAlarm,
  TextWidget,
  TextWidgetBackground,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { namesOf, rollbackOutput } from '../../shared/contract/deployment-names.ts';
import { AlarmTopics } from '../constructs/alarm-topics.ts';
import { accountAlarms } from '../constructs/alarms/account-alarms.ts';
import { alarmAdder } from '../constructs/alarms/add-alarm.ts';
import { deliveryAlarms } from '../constructs/alarms/delivery-alarms.ts';
import { requestAlarms } from '../constructs/alarms/request-alarms.ts';
import { accountSections } from '../constructs/dashboard/account-sections.ts';
import { eventSections } from '../constructs/dashboard/event-sections.ts';
import type { Monitored } from '../constructs/monitored.ts';
import { type DeploymentSettings, settingValue } from '../settings/settings.ts';
import type { ServiceStack } from './service-stack.ts';

/**
 * The alarms that a faulty release raises within minutes. CloudFormation accepts at most five rollback alarms
 * ("RollbackConfiguration", AWS CloudFormation API Reference).
 */
const rollbackAlarms: readonly string[] = [
  'requestsFail',
  'allTokensRejected',
  'manyInternalErrors',
  'functionCrashes-fanOut',
  'functionCrashes-deliverByHttp',
];

/** Creates the dashboard for incidents. The sections follow the order in which an operator asks questions. */
function incidentDashboard(scope: Construct, monitored: Monitored, alarms: readonly IAlarm[]): Dashboard {
  const dashboard = new Dashboard(scope, 'dashboard', {
    dashboardName: namesOf(monitored.stage).dashboard,
    defaultInterval: Duration.hours(3),
  });
  dashboard.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 5 }));
  for (const { question, graphs } of [...eventSections(monitored), ...accountSections(monitored)]) {
    dashboard.addWidgets(
      new TextWidget({
        markdown: `## ${question}`,
        width: 24,
        height: 1,
        background: TextWidgetBackground.TRANSPARENT,
      }),
    );
    for (let at = 0; at < graphs.length; at += 3) dashboard.addWidgets(...graphs.slice(at, at + 3));
  }
  return dashboard;
}

interface ObservabilityStackProps extends StackProps {
  readonly settings: DeploymentSettings;
  readonly service: ServiceStack;
}

/**
 * The stack for alarms and the dashboard. Alarms have their own stack because a single stack could exceed the limit of
 * 500 resources.
 */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, { service, settings, ...props }: ObservabilityStackProps) {
    super(scope, id, props);
    const monitored = { stage: settings.stage, settings, service };
    const topics = new AlarmTopics(this, 'told', {
      topicArn: settingValue(settings, 'alarmTopicArn'),
      email: settingValue(settings, 'alarmEmail'),
    });
    const alarms: IAlarm[] = [];
    const addAlarm = alarmAdder(new Construct(this, 'alarms'), alarms, topics.of);
    requestAlarms(addAlarm, monitored);
    deliveryAlarms(addAlarm, monitored);
    accountAlarms(addAlarm, monitored);
    incidentDashboard(this, monitored, alarms);
    const chosen = alarms.filter(({ node }) => rollbackAlarms.includes(node.id));
    new CfnOutput(this, rollbackOutput, {
      value: chosen.map(({ alarmArn }) => alarmArn).join(','),
      description: 'Alarms that can roll back an update',
    });
  }
}
