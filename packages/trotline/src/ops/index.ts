export { envOps } from './env.ts';
export { fsOps } from './fs.ts';
export { httpOps } from './http.ts';
export { processOps } from './process.ts';
export { storeOps } from './store.ts';
export { type Shown, uiOps } from './ui.ts';
