// The official TypeScript SDK as a client of cited: `node client.mjs PLAN.json`; client.py has the plan in words.
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";

const plan = JSON.parse(readFileSync(process.argv[2], "utf8"));
const told = { answers: {}, progress: {}, wrong: {} };
const client = new Client({ name: "test", version: "1" });
await client.connect(plan.url
  ? new StreamableHTTPClientTransport(new URL(plan.url))
  : new StdioClientTransport({ command: plan.command[0], args: plan.command.slice(1) }));
told.server = client.getServerVersion().name;
told.tools = (await client.listTools()).tools.map((tool) => tool.name);
for (const [name, args] of Object.entries(plan.calls)) {
  const steps = [];
  // The SDK holds the result against the output schema of the tool.
  const answer = await client.callTool({ name, arguments: args }, undefined, { onprogress: (step) => steps.push(step.progress) });
  told.answers[name] = { error: answer.isError ?? false, text: answer.content[0].text, result: answer.structuredContent };
  told.progress[name] = steps;
}
const [slow, slowly] = plan.slow;
const stop = new AbortController();
const call = client.callTool({ name: slow, arguments: slowly }, undefined, { signal: stop.signal }).catch(() => "cancelled");
await new Promise((over) => setTimeout(over, 500));
stop.abort("test");
const begun = Date.now();
// The place is free when this answer comes.
const after = await client.callTool({ name: "explain", arguments: { code: "dead-source" } });
told.cancelled = { after: after.isError ?? false, seconds: (Date.now() - begun) / 1000 };
await call;
for (const [name, args] of Object.entries(plan.wrong)) {
  try {
    const answer = await client.callTool({ name, arguments: args });
    told.wrong[name] = answer.isError ? "result" : "accepted";
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    told.wrong[name] = error.code;
  }
}
const { resources } = await client.listResources();
told.resources = resources.length;
told.read = (await client.readResource({ uri: resources[0].uri })).contents[0].mimeType;
told.prompt = (await client.getPrompt({ name: "verifier", arguments: { draft: "x.md" } })).messages[0].role;
await client.close();
console.log(JSON.stringify(told));
