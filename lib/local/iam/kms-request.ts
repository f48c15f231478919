import type { Access } from './evaluate.ts';

/** What a KMS request asks permission for. @param keyArn the key the request uses, found by the KMS emulator */
export function kmsAccesses(operation: string, body: Record<string, unknown>, keyArn: string | undefined): Access[] {
  const encryptionContext = Object.entries((body.EncryptionContext ?? {}) as Record<string, string>);
  const context: Record<string, string[]> = {};
  for (const [key, value] of encryptionContext) context[`kms:encryptioncontext:${key}`.toLowerCase()] = [value];
  if (encryptionContext.length > 0) context['kms:encryptioncontextkeys'] = encryptionContext.map(([key]) => key);
  return [{ action: `kms:${operation}`, resource: keyArn ?? '*', context }];
}
