"""The official Python SDK as a client of cited: `python client.py PLAN.json`.

The plan says how the service is reached (`command` or `url`), which tools are called, which call is cancelled and what is called
wrongly. What came of each is printed as JSON. tests/services/clients.rs says what it has to be; client.mjs does the same.
"""
import asyncio
import json
import sys
import time
from contextlib import asynccontextmanager

from mcp import ClientSession, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client


@asynccontextmanager
async def reached(plan):
    if "url" in plan:
        async with streamable_http_client(plan["url"]) as (read, write):
            yield read, write
    else:
        server = StdioServerParameters(command=plan["command"][0], args=plan["command"][1:])
        async with stdio_client(server) as streams:
            yield streams


async def cancelled(session, name, arguments):
    """Calls, cancels once the call is under way, and calls again: the place is free when the second answer comes."""
    call = asyncio.create_task(session.call_tool(name, arguments))
    await asyncio.sleep(0.5)
    # The SDK tells the service of it.
    call.cancel()
    begun = time.monotonic()
    after = await session.call_tool("explain", {"code": "dead-source"})
    return {"after": after.is_error, "seconds": time.monotonic() - begun}


async def main(plan):
    told = {"answers": {}, "progress": {}, "wrong": {}}

    async with reached(plan) as (read, write), ClientSession(read, write) as session:
        greeting = await session.initialize()
        told["server"] = greeting.server_info.name
        told["tools"] = [tool.name for tool in (await session.list_tools()).tools]
        for name, arguments in plan["calls"].items():
            steps = []

            async def progress(done, total, message):
                steps.append(done)

            # The SDK holds the result against the output schema of the tool.
            answer = await session.call_tool(name, arguments, progress_callback=progress)
            told["answers"][name] = {"error": answer.is_error, "text": answer.content[0].text, "result": answer.structured_content}
            told["progress"][name] = steps
        told["cancelled"] = await cancelled(session, *plan["slow"])
        for name, arguments in plan["wrong"].items():
            try:
                answer = await session.call_tool(name, arguments)
                told["wrong"][name] = "result" if answer.is_error else "accepted"
            except MCPError as error:
                told["wrong"][name] = error.error.code
        resources = (await session.list_resources()).resources
        told["resources"] = len(resources)
        told["read"] = (await session.read_resource(resources[0].uri)).contents[0].mime_type
        told["prompt"] = (await session.get_prompt("verifier", {"draft": "x.md"})).messages[0].role
    print(json.dumps(told))


asyncio.run(main(json.load(open(sys.argv[1], encoding="utf-8"))))
