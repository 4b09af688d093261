"""Asks a service, and the binary on its standard input, as an assistant does: with the official SDK of the protocol.

Usage: play.py http://127.0.0.1:8080 target/release/kibitz
"""

import asyncio
import json
import sys
import urllib.request

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

POSITION = {"dice": [1, 3, 3, 4, 6], "rolls_left": 2, "scorecard": {"ones": 3, "yahtzee": 50}, "limit": 2}


def served(service: str) -> object:
    request = urllib.request.Request(
        service + "/yahtzee/best-action", json.dumps(POSITION).encode(), {"content-type": "application/json"}
    )
    return json.load(urllib.request.urlopen(request))


async def play(read, write, expected: object) -> int:
    async with ClientSession(read, write) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        assert {"yahtzee_best_action", "doudizhu_min_plays", "craps_odds"} <= {tool.name for tool in tools}
        answer = await session.call_tool("yahtzee_best_action", POSITION)
        assert not answer.is_error and answer.structured_content == expected, answer
        wrong = await session.call_tool("doudizhu_min_plays", {"hand": "33333"})
        assert wrong.is_error and "hand: " in wrong.content[0].text, wrong
        return len(tools)


async def main(service: str, binary: str) -> None:
    expected = served(service)
    async with streamable_http_client(service + "/mcp") as (read, write, *_):
        over_http = await play(read, write, expected)
    async with stdio_client(StdioServerParameters(command=binary, args=["mcp"])) as (read, write):
        over_pipes = await play(read, write, expected)
    assert over_http == over_pipes
    print(f"assistant: {over_http} tools over HTTP and over pipes, each with the answer of the service")


asyncio.run(main(*sys.argv[1:]))
