/**
 * The CDK app. Options: `-c staticEgress=true`, `-c alarmEmail=someone@example.com`, `-c domainName=api.example.com -c
 * certificateArn=arn:aws:acm:us-east-1:…`, `-c
 * integrationTargets='{"integration_1":{"url":"https://…","scheme":"bearer"}}'`, and `-c bundles=…` for the folder of
 * the functions' code, which is emptied first.
 */
import { serviceApp } from '#lib/synthesize.ts';

await serviceApp();
