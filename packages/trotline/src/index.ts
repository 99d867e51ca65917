export { TrotlineError } from '@trotline/engine';
