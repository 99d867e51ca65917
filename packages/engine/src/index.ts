export { type Code, type ErrorDetail, type Place, placeText, TrotlineError } from './events/errors.ts';
