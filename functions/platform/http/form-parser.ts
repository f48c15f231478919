/**
 * A separate module, so it can be loaded only when a form arrives: esbuild gives no named exports for a CommonJS module
 * that is imported dynamically.
 */
export { Busboy } from '@fastify/busboy';
