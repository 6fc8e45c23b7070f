import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  type IAlarm,
  TextWidget,
  TextWidgetBackground,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { namesOf } from '../../../shared/contract/deployment-names.ts';
import type { Watched } from '../../watched.ts';
import { accountSections } from './account-sections.ts';
import { eventSections } from './event-sections.ts';

/** All that one looks at when something is wrong, in the order in which one asks. */
export function nightDashboard(scope: Construct, watched: Watched, alarms: readonly IAlarm[]): Dashboard {
  const dashboard = new Dashboard(scope, 'dashboard', {
    dashboardName: namesOf(watched.stage).dashboard,
    defaultInterval: Duration.hours(3),
  });
  dashboard.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 5 }));
  for (const { question, graphs } of [...eventSections(watched), ...accountSections(watched)]) {
    dashboard.addWidgets(
      new TextWidget({
        markdown: `## ${question}`,
        width: 24,
        height: 1,
        background: TextWidgetBackground.TRANSPARENT,
      }),
    );
    // Three in a row.
    for (let at = 0; at < graphs.length; at += 3) dashboard.addWidgets(...graphs.slice(at, at + 3));
  }
  return dashboard;
}
