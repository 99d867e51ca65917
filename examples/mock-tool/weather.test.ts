import { createAgent, resolveModel } from 'trotline/agent';
import { expect, test } from 'vitest';
import { openExample } from '../open.ts';

test('the model is offered the tool, calls it, and reads what the hook answered', async () => {
  const line = await openExample('mock-tool');
  const agent = createAgent({
    engine: line,
    model: resolveModel('script:turns.json', { cwd: line.cwd }),
    cwd: line.cwd,
  });
  try {
    // The script's expectations look at what was sent to the model.
    expect(await agent.submit('How is the weather?')).toMatchObject({
      status: 'completed',
      text: 'It rains in Bergen.',
    });
    const rows = await line.records.decisions.find({ tool: 'Weather' });
    expect(rows.map(({ decision, source }) => `${decision} ${source.name}`)).toEqual([
      'answered weather',
      'deny weather',
    ]);
  } finally {
    await agent.close();
    await line.close();
  }
});
