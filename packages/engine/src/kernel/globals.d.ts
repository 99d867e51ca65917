// All that the engine takes from its platform, so that it compiles with the types of neither Node nor a browser.

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: (event: unknown) => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: (event: unknown) => void): void;
}
interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare var AbortController: { new (): AbortController };
declare var performance: { now(): number };
declare function setTimeout(callback: () => void, ms?: number): unknown;
declare function setInterval(callback: () => void, ms?: number): unknown;
declare function clearInterval(timer: unknown): void;
declare function clearTimeout(timer: unknown): void;
declare function queueMicrotask(callback: () => void): void;
