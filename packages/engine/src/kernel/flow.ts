import { setTimeout } from './clock.ts';
import { KernelError } from './failure.ts';
import { quiet } from './next.ts';
import { type Flow, type Run, settled } from './run.ts';
import { reject } from './settle.ts';

/**
 * What `next` answers on a stream event, and `dispatch`: an async generator with a `result`. It runs nothing before it is
 * pulled, stands its reader's clock while it is, and is told again from what was taken in once a link wanted it whole.
 */
export class LinkFlow implements Flow {
  reader: Run | undefined;
  /** Settles with the stream. Waiting for it starts nothing. */
  readonly promise: Promise<unknown>;
  readonly #run: Run;
  readonly #body: AsyncGenerator<unknown, unknown, undefined>;
  #resolve!: (value: unknown) => void;
  #started = false;
  #ended = false;
  #taken: unknown[] = [];
  #taking: Promise<void> | undefined;

  constructor(run: Run, body: AsyncGenerator<unknown, unknown, undefined>) {
    this.#run = run;
    this.#body = body;
    this.reader = run.parent;
    this.promise = quiet(
      new Promise((resolve) => {
        this.#resolve = resolve;
      }),
    );
  }

  async next(): Promise<IteratorResult<unknown, unknown>> {
    if (this.#taking !== undefined) await this.#taking;
    if (this.#taken.length > 0) return { done: false, value: this.#taken.shift() };
    if (this.#ended) return { done: true, value: await this.promise };
    return this.#pull();
  }

  async #pull(): Promise<IteratorResult<unknown, unknown>> {
    this.#started = true;
    const { reader } = this;
    reader?.pause();
    try {
      const step = await this.#body.next();
      if (step.done) this.#end(step.value);
      return step;
    } catch (error) {
      this.#end(Promise.reject(error));
      throw error;
    } finally {
      reader?.resume();
    }
  }

  #end(value: unknown): void {
    this.#ended = true;
    this.#resolve(value);
  }

  /** The whole response. If nobody reads the chunks, they are taken in meanwhile and can be read afterwards. */
  get result(): Promise<unknown> {
    setTimeout(() => {
      if (!this.#started) this.whole();
    }, 0);
    return this.promise;
  }

  whole(): Promise<unknown> {
    if (this.#taking === undefined && !this.#ended) {
      this.#started = true;
      this.#taking = this.#take();
    }
    return this.promise;
  }

  async #take(): Promise<void> {
    try {
      for (let step = await this.#pull(); !step.done; step = await this.#pull()) this.#taken.push(step.value);
    } catch {
      // `promise` tells it to whoever asks.
    }
  }

  /** Ends it early: whatever runs beneath is told to stop, and is not waited for. */
  async return(value?: unknown): Promise<IteratorResult<unknown, unknown>> {
    if (!this.#ended) {
      const closed = new KernelError('closed', `The stream of ${this.#run.event} was closed before its end`);
      this.#end(Promise.reject(closed));
      this.#run.abort(closed);
      quiet(this.#body.return(undefined));
      if (!this.#started) this.#run.state = settled;
      else if (this.#run.state !== settled) quiet(reject(this.#run, closed));
    }
    return { done: true, value };
  }

  async throw(error?: unknown): Promise<IteratorResult<unknown, unknown>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
