// An agent's last step in 40 lines: a draft is checked by cited before anybody sees it.
//
// Needs the official SDK (`npm install @modelcontextprotocol/sdk typescript @types/node`) and `cited` with its feature `mcp`:
// `npx tsc --module nodenext --types node agent.ts && node agent.js CITED ROOT DRAFT [FLAGS of cited mcp...]`, in a package of `"type": "module"`.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Progress } from "@modelcontextprotocol/sdk/types.js";

type Said = { source_url: string; source_passage: string };
type Claim = { action: string; claim_text: string; notes: string; sources_reconciled: Said[] };
type Checked = { verdict: string; brief: string; stats: { claims: number; verified: number }; record: { verifications: Claim[] } };

async function main(command: string, root: string, path: string, flags: string[]): Promise<number> {
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args: ["mcp", "--root", root, ...flags] }));
  try {
    const onprogress = (step: Progress) => console.error(`[${step.progress}] ${step.message}`);
    const called = { name: "verify_draft", arguments: { path, record: true } };
    const answer = await client.callTool(called, undefined, { onprogress, resetTimeoutOnProgress: true });
    if (answer.isError) {
      console.log(JSON.stringify(answer.content));
      return 2;
    }
    const result = answer.structuredContent as Checked;
    console.log(`${result.verdict} ${result.stats.verified} of ${result.stats.claims} claims verified`);
    for (const claim of result.record.verifications.filter((claim) => claim.action === "drop")) {
      console.log(`removed: ${claim.claim_text} - ${claim.notes}`);
      // What does the page say instead? Its passage came with the verdict.
      for (const source of claim.sources_reconciled) console.log(`   ${source.source_url} says: ${source.source_passage}`);
    }
    console.log(result.brief);
    return result.verdict === "pass" || result.verdict === "pass_with_notes" ? 0 : 3;
  } finally {
    await client.close();
  }
}

const [cited, root, draft, ...flags] = process.argv.slice(2);
process.exitCode = await main(cited, root, draft, flags);
