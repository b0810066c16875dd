#!/usr/bin/env python3
"""Forwards connections to a server, as over a network with a long way.

usage: delay.py PORT UPSTREAM_PORT SECONDS

A new connection waits SECONDS once, and so does each part of a request. Answers do not wait.
"""
import asyncio
import sys


async def forward(reader, writer, seconds):
    try:
        while data := await reader.read(1 << 18):
            if seconds:
                await asyncio.sleep(seconds)
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def serve(reader, writer):
    seconds = float(sys.argv[3])
    await asyncio.sleep(seconds)
    try:
        upstream = await asyncio.open_connection("127.0.0.1", int(sys.argv[2]), limit=1 << 20)
    except OSError:
        writer.close()
        return
    await asyncio.gather(
        forward(reader, upstream[1], seconds), forward(upstream[0], writer, 0))


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]), limit=1 << 20)
    async with server:
        await server.serve_forever()


asyncio.run(main())
