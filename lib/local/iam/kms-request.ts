import type { Access } from './evaluate.ts';

/** The permissions that a KMS request needs. @param keyArn the key of the request, found by the KMS emulator */
export function kmsAccesses(operation: string, body: Record<string, unknown>, keyArn: string | undefined): Access[] {
  const encryptionContext = Object.entries((body.EncryptionContext ?? {}) as Record<string, string>);
  const context: Record<string, string[]> = {};
  for (const [key, value] of encryptionContext) context[`kms:encryptioncontext:${key}`.toLowerCase()] = [value];
  if (encryptionContext.length > 0) context['kms:encryptioncontextkeys'] = encryptionContext.map(([key]) => key);
  return [{ action: `kms:${operation}`, resource: keyArn ?? '*', context }];
}
