import { z } from 'zod';
import type { Tool, ToolContext, ToolOutcome } from './types.ts';

export interface ToolSpec<Schema extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  readonly isReadOnly: boolean;
  readonly run: (input: z.output<Schema>, context: ToolContext) => Promise<ToolOutcome>;
  readonly close?: () => Promise<void>;
}

/** A tool from a Zod schema: the model gets it as a JSON Schema, `run` gets what it made of the input. */
export function defineTool<Schema extends z.ZodObject>(spec: ToolSpec<Schema>): Tool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(spec.input, { io: 'input' });
  return {
    name: spec.name,
    description: spec.description,
    inputSchema,
    isReadOnly: spec.isReadOnly,
    check(input) {
      const parsed = spec.input.safeParse(input);
      return parsed.success ? undefined : issuesText(spec.name, parsed.error);
    },
    run: async (input, context) => spec.run(spec.input.parse(input), context),
    ...(spec.close && { close: spec.close }),
  };
}

function issuesText(tool: string, { issues }: z.ZodError): string {
  const lines = issues.slice(0, 10).map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
  return `The input does not fit ${tool}'s schema: ${lines.join('; ')}`;
}
