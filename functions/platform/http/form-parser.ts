/** A module of our own, so that it can be loaded when a form comes: a bundle has no names of a CommonJS module that is loaded late. */
export { Busboy } from '@fastify/busboy';
