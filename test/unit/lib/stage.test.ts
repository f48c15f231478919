import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadStage, regionFault, stageFault } from '#lib/stage.ts';

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-0000-0000-000000000000';

describe('the settings of a stage', () => {
  test('may all be given, or none', () => {
    const all = {
      domain: { name: 'api.example.com', certificateArn },
      alarmEmail: 'on-call@example.com',
      integrationTargets: { integration_1: { url: 'https://example.com' } },
      staticEgress: true,
      logRetentionDays: 30,
      warmThroughput: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 4_000 },
      spreadsShipments: true,
      logLevel: 'WARN',
      keyRate: { unitsPerSecond: 500, burst: 2000, uncounted: 0 },
      email: { from: 'post@mail.example.com', maxPerSecond: 50, hasIdentity: true },
      throttle: { rate: 5000, burst: 2500 },
      pagesConcurrency: 300,
      providersConcurrency: 200,
      webAcl: { requestsPerFiveMinutes: 600 },
      distributionMarks: ['0123456789abcdef', 'fedcba9876543210'],
    };
    const webAcl = { arn: 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/name/id' };
    expect(stageFault({ ...all, webAcl })).toBeUndefined();
    expect([stageFault(all), stageFault({})]).toEqual([undefined, undefined]);
  });

  test.each([
    [{ alarmEmial: 'a@example.com' }, 'alarmEmial is not a setting; the settings are domain, alarmEmail,'],
    [{ alarmEmail: 'on-call' }, 'alarmEmail must be an e-mail address'],
    [{ staticEgress: 'true' }, 'staticEgress must be true or false'],
    [{ staticEgress: null }, 'staticEgress must be true or false'],
    [{ logRetentionDays: 31 }, 'logRetentionDays must be one of 1, 3, 5, 7, 14, 30'],
    [{ warmThroughput: 4000 }, 'warmThroughput must be an object with readUnitsPerSecond and writeUnitsPerSecond'],
    [
      { warmThroughput: { readUnitsPerSecond: 12_000 } },
      'warmThroughput.writeUnitsPerSecond must be a whole number from 4000 on',
    ],
    [
      { warmThroughput: { readUnitsPerSecond: 1, writeUnitsPerSecond: 4000 } },
      'warmThroughput.readUnitsPerSecond must be a whole number from 12000 on',
    ],
    [{ spreadsShipments: 'true' }, 'spreadsShipments must be true or false'],
    [{ logLevel: 'warn' }, 'logLevel must be one of INFO, WARN'],
    [{ keyRate: 200 }, 'keyRate must be an object with unitsPerSecond, burst and uncounted'],
    [{ keyRate: { unitsPerSecond: 200, burst: 1, uncounted: 0 } }, 'keyRate.burst must be a whole number from 2 on'],
    [{ keyRate: { unitsPerSecond: 200, burst: 1000 } }, 'keyRate.uncounted must be a whole number from 0 on'],
    [
      { keyRate: { unitsPerSecond: 0, burst: 1, uncounted: 0 } },
      'keyRate.unitsPerSecond must be a whole number from 1 on',
    ],
    [{ domain: 'api.example.com' }, 'domain must be an object with name and certificateArn'],
    [{ domain: { name: 'api.example.com' } }, 'domain.certificateArn must be the ARN of a certificate'],
    [{ domain: { name: 'https://api.example.com', certificateArn } }, 'domain.name must be a host name'],
    [
      { domain: { name: 'api.example.com', certificateArn: certificateArn.replace('us-east-1', 'eu-central-1') } },
      'domain.certificateArn must be the ARN of a certificate of the region us-east-1',
    ],
    [
      { domain: { name: 'api.example.com', certificateArn, zone: 'x' } },
      'domain.zone is not a setting; the settings are name, certificateArn',
    ],
    [{ email: 'post@mail.example.com' }, 'email must be an object with from'],
    [{ email: { maxPerSecond: 1 } }, 'email must be an object with from'],
    [{ email: { from: 'The shop <post@mail.example.com>' } }, 'email.from must be an e-mail address such as'],
    [{ email: { from: 'post@localhost' } }, 'email.from must be an e-mail address such as'],
    [{ email: { from: 'post@example.com', maxPerSecond: 0 } }, 'email.maxPerSecond must be a whole number from 1 on'],
    [{ email: { from: 'post@example.com', hasIdentity: 'yes' } }, 'email.hasIdentity must be true or false'],
    [{ email: { from: 'post@example.com', name: 'x' } }, 'email.name is not a setting; the settings are from,'],
    [{ throttle: 2000 }, 'throttle must be an object with rate and burst'],
    [{ throttle: { rate: 2000 } }, 'throttle.burst must be a whole number from 1 on'],
    [{ throttle: { rate: 0, burst: 1 } }, 'throttle.rate must be a whole number from 1 on'],
    [{ pagesConcurrency: 0 }, 'pagesConcurrency must be a whole number from 1 on'],
    [{ providersConcurrency: 1.5 }, 'providersConcurrency must be a whole number from 1 on'],
    [{ webAcl: true }, 'webAcl must be an object with either requestsPerFiveMinutes or arn'],
    [{ webAcl: {} }, 'webAcl must be an object with either requestsPerFiveMinutes or arn'],
    [{ webAcl: { requestsPerFiveMinutes: 9 } }, 'webAcl.requestsPerFiveMinutes must be a whole number from 10 on'],
    [{ webAcl: { limit: 9 } }, 'webAcl.limit is not a setting; the settings are requestsPerFiveMinutes, arn'],
    [
      { webAcl: { arn: 'arn:aws:wafv2:eu-central-1:111122223333:regional/webacl/name/id' } },
      'webAcl.arn must be the ARN of a web ACL of the region us-east-1',
    ],
    [{ distributionMarks: [] }, 'distributionMarks must be a list of one or two texts of 16 to 64'],
    [{ distributionMarks: ['short'] }, 'distributionMarks must be a list'],
    [{ distributionMarks: ['0123456789abcdef,0123456789abcdef'] }, 'distributionMarks must be a list'],
    [{ integrationTargets: 7 }, 'integrationTargets: must be JSON'],
    [
      { integrationTargets: { integration_1: { url: 'https://example.com', dialect: 'x' } } },
      'integrationTargets: integration_1: dialect must be one of',
    ],
    [undefined, 'it must end with export default stage({ … })'],
    [[], 'it must end with export default stage({ … })'],
  ])('are refused with a sentence: %j', (settings, sentence) => {
    expect(stageFault(settings)).toContain(sentence);
  });
});

test('a web ACL of its own is refused outside of us-east-1, and one that there is nowhere', () => {
  const own = { webAcl: { requestsPerFiveMinutes: 600 } };
  expect(regionFault(own, 'eu-central-1')).toMatch(
    /^webAcl\.requestsPerFiveMinutes works only in us-east-1.* to eu-central-1$/,
  );
  expect(regionFault(own, 'us-east-1')).toBeUndefined();
  expect(regionFault({ webAcl: { arn: 'x' } }, 'eu-central-1')).toBeUndefined();
  expect(regionFault({}, 'eu-central-1')).toBeUndefined();
});

describe('a stage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stages-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(['local', 'dev', 'prod'])('%s comes with the repository', async (name) => {
    expect(await loadStage(name)).toBeTypeOf('object');
  });

  test('without a file fails with the files that there are', async () => {
    await expect(loadStage('staging')).rejects.toThrow(
      'The stage "staging" has no file lib/stages/staging.ts: write one, or take one of dev, local, prod.',
    );
  });

  test('with a typo in its file fails with the name of the file', async () => {
    writeFileSync(join(folder, 'typo.ts'), 'export default { staticEgres: true };\n');
    await expect(loadStage('typo', folder)).rejects.toThrow(/typo\.ts: staticEgres is not a setting; .*\.$/);
  });

  test.each(['../prod', 'Prod', '', 'a'.repeat(21), '7up'])('cannot be named %j', async (name) => {
    await expect(loadStage(name)).rejects.toThrow('impossible name');
  });
});
