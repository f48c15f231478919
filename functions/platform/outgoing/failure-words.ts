import { AnswerTooLarge } from './answer-limit.ts';
import { DeadlinePassed } from './deadline.ts';
import { PrivateAddress } from './guarded-connector.ts';

/** Why no whole answer came, in a word that a merchant understands. */
export function failureWord(error: unknown): string {
  if (error instanceof DeadlinePassed) return 'timeout';
  if (error instanceof PrivateAddress) return 'private_address';
  if (error instanceof AnswerTooLarge) return 'answer_too_large';
  const { name, code = '' } = error as NodeJS.ErrnoException;
  if (name === 'HTTPParserError') return 'malformed_answer';
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_)/.test(code)) return 'tls_error';
  return wordOf[code] ?? 'connection_failed';
}

const wordOf: Record<string, string> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers_too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'malformed_answer',
  // How undici takes a status below 100.
  ERR_ASSERTION: 'malformed_answer',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ENOTFOUND: 'name_not_found',
  ENODATA: 'name_not_found',
  EBADNAME: 'name_not_found',
  EAI_AGAIN: 'name_server_failed',
  ESERVFAIL: 'name_server_failed',
  EREFUSED: 'name_server_failed',
  ETIMEOUT: 'name_server_failed',
  EPROTO: 'tls_error',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_error',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_error',
};
