import { DecryptCommand, GenerateDataKeyWithoutPlaintextCommand, KMSClient } from '@aws-sdk/client-kms';
import { BatchGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test } from 'vitest';
import { handler } from '#api/automations/handler.ts';
import { decryptOnce } from '#platform/secrets/cipher.ts';
import { keyOf } from '#platform/table/keys.ts';
import { anAutomation, storedAutomation } from '#test/kit/automations.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, dynamo, operator, shopItem, tableWith } from '#test/kit/table.ts';

const kms = mockClient(KMSClient);

beforeEach(() => {
  kms.reset();
  kms.on(GenerateDataKeyWithoutPlaintextCommand).resolves({ CiphertextBlob: Buffer.from('wrapped') });
  kms.on(DecryptCommand).resolves({ Plaintext: Buffer.alloc(32) });
  tableWith(operator.item, shopItem('blue'), storedAutomation(anAutomation()));
});

const body = {
  name: 'Tell the warehouse',
  trigger: { ref: '*' },
  actions: [{ type: 'webhook', params: { url: 'https://example.com/hook' } }],
};

const create = () =>
  invoke(handler, {
    method: 'POST',
    resource: '/v1/shops/{slug}/automations',
    params: { slug: 'blue' },
    headers: asOperator,
    body,
  });

test('a shop can have 50 automations at most', async () => {
  const others = Array.from({ length: 48 }, (_, i) => storedAutomation(anAutomation({ uuid: `another-${i}` })));
  memoryTable.put(...others);
  expect((await create()).status).toBe(200);
  const refused = await create();
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ loc: ['body'], type: 'value_error' }] } });
  expect(dynamo.commandCalls(TransactWriteCommand)).toHaveLength(1);
});

test('the secret of an automation is encrypted, bound to the shop and the automation, and stored nowhere in plain text', async () => {
  const { body: made } = await create();
  const [{ ciphertext }] = memoryTable.read(keyOf.record('automations', 'blue', made.uuid))!.secrets;
  expect(await decryptOnce(ciphertext, { shop: 'blue', automation: made.uuid })).toBe(made.secret);
  await expect(decryptOnce(ciphertext, { shop: 'blue', automation: anAutomation().uuid })).rejects.toThrow();
  const written = JSON.stringify(dynamo.commandCalls(TransactWriteCommand)[0]!.args[0].input);
  expect(written).not.toContain(made.secret);
});

test('a deleted automation stays stored, leaves every list and frees its name', async () => {
  const { uuid } = anAutomation();
  const answer = await invoke(handler, {
    method: 'DELETE',
    resource: '/v1/shops/{slug}/automations/{automation_id}',
    params: { slug: 'blue', automation_id: uuid },
    headers: asOperator,
  });
  expect(answer).toMatchObject({ status: 204, body: '' });
  expect(dynamo.commandCalls(BatchGetCommand)).toHaveLength(3);
  const actions = dynamo.commandCalls(TransactWriteCommand)[0]!.args[0].input.TransactItems!;
  expect(actions.map(({ Delete, Put }) => Delete?.Key?.sk ?? Put?.Item?.sk)).toEqual([
    `RECORD#${uuid}`,
    expect.stringMatching(/^UNIQUE#name#/),
    'COUNT',
    `DELETED#${uuid}`,
  ]);
});
