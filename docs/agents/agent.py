"""An agent's last step in 40 lines: a draft is checked by cited before anybody sees it.

Needs the official SDK (`pip install 'mcp>=2'`) and `cited` with its feature `mcp`: `python agent.py CITED ROOT DRAFT [FLAGS of cited mcp...]`.
"""
import asyncio
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(cited: str, root: str, draft: str, flags: list[str]) -> int:
    server = StdioServerParameters(command=cited, args=["mcp", "--root", root, *flags])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()

        async def progress(done: float, _: float | None, message: str | None) -> None:
            print(f"[{done:g}] {message}", file=sys.stderr)

        asked = {"path": draft, "record": True}
        checked = await session.call_tool("verify_draft", asked, progress_callback=progress)
        if checked.is_error:
            print(checked.content[0].text)
            return 2
        result = checked.structured_content
        print(result["verdict"], result["stats"]["verified"], "of", result["stats"]["claims"], "claims verified")
        for claim in result["record"]["verifications"]:
            if claim["action"] != "drop":
                continue
            print("removed:", claim["claim_text"], "-", claim["notes"])
            # What does the page say instead? Its passage came with the verdict.
            for source in claim["sources_reconciled"]:
                print("  ", source["source_url"], "says:", source["source_passage"])
        print(result["brief"])
        return 0 if result["verdict"] in ("pass", "pass_with_notes") else 3


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])))
