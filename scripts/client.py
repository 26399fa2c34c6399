#!/usr/bin/env python3
"""Drives the engine as scripts do, with python-chess over pipes.

Plays a game, analyzes with several lines, ponders, stops an infinite analysis, changes options
and quits. Every wait has a time-out. usage: client.py ENGINE
"""

import asyncio
import sys

import chess
import chess.engine

PATIENCE = 60.0


def check(condition: bool, what: str) -> None:
    if not condition:
        raise AssertionError(f"not true: {what}")
    print(f"  ok: {what}")


async def play(engine: chess.engine.UciProtocol) -> None:
    board = chess.Board()
    for _ in range(30):
        if board.is_game_over():
            break
        clock = chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.02, black_inc=0.02)
        result = await engine.play(board, clock, info=chess.engine.INFO_ALL)
        check(result.move in board.legal_moves, f"{board.fullmove_number}. {result.move} is legal")
        check("score" in result.info, "the move came with a score")
        board.push(result.move)


async def analyze(engine: chess.engine.UciProtocol) -> None:
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    infos = await engine.analyse(board, chess.engine.Limit(depth=8), multipv=3)
    check(len(infos) == 3, "three lines")
    check(len({info["pv"][0] for info in infos}) == 3, "they begin with different moves")
    scores = [info["score"].relative.score(mate_score=100_000) for info in infos]
    check(scores == sorted(scores, reverse=True), "the best line comes first")
    info = await engine.analyse(board, chess.engine.Limit(nodes=20_000))
    check(info["nodes"] <= 20_000, "no more nodes than allowed")
    info = await engine.analyse(
        board, chess.engine.Limit(depth=6), root_moves=[chess.Move.from_uci("a2a3")]
    )
    check(info["pv"][0].uci() == "a2a3", "only the move asked for")
    mate = chess.Board("7k/8/5K2/8/8/8/8/6R1 w - - 0 1")
    info = await engine.analyse(mate, chess.engine.Limit(depth=10))
    check(info["score"].relative == chess.engine.Mate(2), "a mate in 2 is one")
    for move in info["pv"]:
        mate.push(move)
    check(mate.is_checkmate(), "and its line mates")


async def stop(engine: chess.engine.UciProtocol) -> None:
    board = chess.Board()
    with await engine.analysis(board) as analysis:
        async for info in analysis:
            if info.get("depth", 0) >= 6:
                break
        analysis.stop()
        best = await analysis.wait()
    check(best.move in board.legal_moves, "an infinite analysis stops with a move")


async def ponder(engine: chess.engine.UciProtocol) -> None:
    board = chess.Board()
    limit = chess.engine.Limit(time=0.1)
    for _ in range(4):
        result = await engine.play(board, limit, ponder=True)
        board.push(result.move)
        # The expected move is played every second time, so that both hit and miss are seen.
        if board.ply() % 4 == 1 and result.ponder in board.legal_moves:
            reply = result.ponder
        else:
            reply = next(iter(board.legal_moves))
        board.push(reply)
    check(True, "four moves with pondering")


async def options(engine: chess.engine.UciProtocol) -> None:
    for name in ("Hash", "Threads", "Move Overhead", "SyzygyPath", "UCI_Elo", "Skill Level"):
        check(name in engine.options, f"option {name}")
    await engine.configure({"Hash": 32, "Threads": 2, "Move Overhead": 20})
    await engine.play(chess.Board(), chess.engine.Limit(time=0.1))
    await engine.configure({"Hash": 16, "Threads": 1, "UCI_LimitStrength": True, "UCI_Elo": 1500})
    await engine.play(chess.Board(), chess.engine.Limit(time=0.1))
    await engine.configure({"UCI_LimitStrength": False})
    check(True, "options change between searches")
    board = chess.Board.from_chess960_pos(518)
    board.set_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    board.chess960 = True
    result = await engine.play(board, chess.engine.Limit(depth=4))
    check(result.move in board.legal_moves, "a Chess960 move is legal")


async def main(path: str) -> None:
    transport, engine = await chess.engine.popen_uci(path)
    print(engine.id.get("name"))
    for part in (play, analyze, stop, ponder, options):
        print(part.__name__)
        await asyncio.wait_for(part(engine), PATIENCE)
    await asyncio.wait_for(engine.quit(), PATIENCE)
    check(transport.get_returncode() in (0, None), "the engine quits")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    asyncio.run(main(sys.argv[1]))
