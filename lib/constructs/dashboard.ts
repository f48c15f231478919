import { Duration } from 'aws-cdk-lib';
import { Dashboard as CloudWatchDashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { accountWideName } from './account-wide-name.ts';
import type { ServiceMetrics } from './service-metrics.ts';

export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, metrics: ServiceMetrics) {
    super(scope, id);
    const { api, functions, deliveries, carrierUpdates, tracking, automations, segments, counts, table, emails } =
      metrics;
    new CloudWatchDashboard(this, 'Dashboard', {
      dashboardName: accountWideName(this, 'service'),
      defaultInterval: Duration.days(1),
      widgets: [
        [
          graph('Requests', [api.requests]),
          graph('Error rates', [api.serverErrorRate, api.serverErrorRateOfUrls, api.clientErrorRate]),
          graph('Latency (ms)', [api.latencyMedian, api.latencyTail]),
        ],
        [
          graph('Requests answered with 429', [api.gatewayThrottles, api.rateLimited]),
          graph('Rounds of schedules in five minutes', functions.rounds),
          graph('Concurrency', [functions.claimedConcurrency]),
        ],
        [
          graph('Failed and refused invocations', [functions.failed, functions.refused]),
          graph('Pages and webhooks of providers', api.requestsOfUrls),
          graph('Pages and webhooks of providers: p99 (ms)', api.latencyTailOfUrls),
        ],
        [
          graph('Function errors', Object.values(functions.errors)),
          graph('Function throttles', Object.values(functions.throttles)),
          graph('Function duration, p99 (ms)', Object.values(functions.duration)),
        ],
        [
          graph(
            'Deliveries',
            [
              deliveries.waiting,
              deliveries.faults,
              deliveries.deadLetters,
              deliveries.failures,
              deliveries.deadParts,
              counts.failures,
            ],
            6,
          ),
          graph('Oldest delivery (s)', [deliveries.oldestAge, deliveries.oldestPart], 6),
          graph('Deliveries in flight', [deliveries.placesInFlight], 6),
          graph('Age of the stream (ms)', [deliveries.streamAge, counts.streamAge], 6),
          graph('Table: throttled requests', [table.throttledRequests], 6),
          graph('Table: system errors', [table.systemErrors], 6),
        ],
        [
          graph('Carrier updates', [carrierUpdates.waiting, carrierUpdates.failures]),
          graph('Oldest carrier update (s)', [carrierUpdates.oldestAge]),
          graph('Tracking requests', [tracking.waiting, tracking.deadLetters]),
        ],
        [
          graph('Tracking registrations', [tracking.registrations, tracking.givenUp]),
          graph('Oldest tracking registration (s)', [tracking.oldestRegistration]),
        ],
        [
          graph('Automation runs', [automations.waiting, automations.givenUp]),
          graph('Oldest automation run (s)', [automations.oldestAge]),
          graph('Segments', [segments.waiting, segments.givenUp, segments.deadLetters]),
        ],
        ...(emails
          ? [
              [
                graph('E-mails: share of bounces', [emails.bounceRate]),
                graph('E-mails: share of complaints', [emails.complaintRate]),
                graph('E-mails: reports of SES', [emails.waiting, emails.failures]),
              ],
            ]
          : []),
      ],
    });
  }
}

function graph(title: string, metrics: IMetric[], width = 8): GraphWidget {
  return new GraphWidget({ title, left: metrics, leftYAxis: { min: 0 }, width });
}
