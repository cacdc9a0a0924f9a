"""The program `racko`: one command line, one place where errors become one line and an exit code."""

import argparse
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn, TypeAlias

from calibration.table import Table, TableError, read_table
from device.commands.judging import judge, score
from device.commands.manual import BENCH, CALIBRATE, CAMERA, CLIP, DOCTOR, NOTATION, PIN, REFEREE, SCORE, SIMULATE
from device.memory import keep_freed_memory
from engine.editions import EDITIONS
from engine.errors import RackoError
from engine.variants import deck_of

EXIT_CODES = "Exit codes: 0 done, 1 done and something was found wrong, 2 it could not be done."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code. Whatever goes wrong is said in one line on standard error."""
    if isinstance(sys.stdout, TextIOWrapper):
        # A name that this terminal has no letters for is no reason to stop.
        sys.stdout.reconfigure(errors="backslashreplace")
    keep_freed_memory()
    try:
        options = _parser().parse_args(arguments)
        return int(options.run(options))
    except (RackoError, TableError) as problem:
        print(f"racko: {' '.join(str(problem).split())}", file=sys.stderr)
        return problem.exit_code
    except OSError as problem:
        if not isinstance(problem, BrokenPipeError):
            print(f"racko: {problem.filename or 'the output'}: {problem.strerror or problem}", file=sys.stderr)
        # Where the output's reader has gone or its disk is full, what was not written yet must not fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        return 130


class Parser(argparse.ArgumentParser):
    """Says what is wrong with the command line in one line; the usage stands under --help."""

    def error(self, message: str) -> NoReturn:
        """End the program with exit code 2."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = Parser(
        prog="racko", description="A companion for the card game RACK-O: reads, follows, scores.", epilog=EXIT_CODES
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in (_add_serve, _add_read, _add_score, _add_referee, _add_replay, _add_clip, _add_simulate):
        add(commands)
    for add in (_add_mats, _add_calibrate, _add_doctor, _add_pin, _add_bench):
        add(commands)
    return parser


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - it has no public name
Switches: TypeAlias = "argparse.ArgumentParser | argparse._MutuallyExclusiveGroup"  # noqa: SLF001 - likewise


def _command(commands: Commands, name: str, summary: str, description: str) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=summary,
        description=description,
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _add_json(command: Switches) -> None:
    command.add_argument("--json", action="store_true", help="print JSON lines, one object a line, and nothing else")


def _add_serve(commands: Commands) -> None:
    command = _command(
        commands,
        "serve",
        "run a table: cameras, rules, scoreboard, button and LED",
        "Run a table and show its scoreboard on a web page, whose address is printed.\n\n"
        "Without a camera or a session a simulated table plays: game after game is drawn in real time. A recorded\n"
        "session is played over and over. With live cameras the host begins the game on the page /host, with the PIN\n"
        "that is printed. A game that was broken off (power cut, kill) goes on where it was.",
    )
    command.add_argument("--config", type=Path, metavar="FILE", help="settings (TOML): port, journal, pins")
    tables = command.add_mutually_exclusive_group()
    tables.add_argument("--camera", action="append", default=[], metavar="NAME", help=CAMERA)
    tables.add_argument("--session", type=Path, metavar="DIR", help="the recorded session to play")
    command.add_argument("--table", type=Path, metavar="FILE", help="the measured table (default: usual measures)")
    command.add_argument("--port", type=int, metavar="N", help="port of the page (default 8000; 0: any free one)")
    command.add_argument("--once", action="store_true", help="play one game or session and keep the page up")
    command.add_argument("--speed", type=float, default=1.0, metavar="X", help="play X times as fast as recorded")
    command.add_argument("--new", action="store_true", help="begin a new game even if one was broken off")
    command.add_argument("--mock-pins", action="store_true", help="use gpiozero's mock pins for button and LED")
    command.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> int:
    from device.serve import Options, serve  # noqa: PLC0415 - pages and pins are loaded only where they are needed

    words = ("config", "session", "table", "port", "once", "speed", "new", "mock_pins")
    return serve(Options(camera=tuple(options.camera), **{word: getattr(options, word) for word in words}))


def _add_read(commands: Commands) -> None:
    command = _command(
        commands,
        "read",
        "say what stands in a picture",
        "Read the racks and the tray in pictures of a table, or the number in a cut-out of one card.\n\n"
        'A card that is not surely read is "not sure", with its candidates: never a guess.',
    )
    command.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="JPEG or PNG files")
    command.add_argument("--crop", action="store_true", help="each image is a cut-out of one card's number")
    command.add_argument(
        "--table",
        type=Path,
        metavar="FILE",
        help="the measured table (default: the picture's own, IMAGE.toml or table.toml beside it or in its session; "
        "else usual measures)",
    )
    command.add_argument("--edition", default="parker-1992", choices=EDITIONS, help="whose deck it is (%(default)s)")
    command.add_argument("--players", type=int, default=4, metavar="N", help="2, 3 or 4; tells the deck (%(default)s)")
    command.add_argument(
        "--show", type=Path, metavar="OUT", help="draw what is seen over the picture: a .jpg, or a folder for several"
    )
    command.add_argument("--stages", type=Path, metavar="DIR", help="leave a picture of each stage in this folder")
    _add_json(command)
    command.set_defaults(run=_read)


def _read(options: argparse.Namespace) -> int:
    from device.commands.reading import Drawings, read_cutouts, read_pictures  # noqa: PLC0415 - OpenCV takes a while to load

    deck = deck_of(options.edition, options.players)
    if options.crop:
        return read_cutouts(options.images, deck, as_json=options.json)
    drawings = Drawings(options.show, options.stages)
    return read_pictures(options.images, options.table, deck, drawings, as_json=options.json)


def _add_score(commands: Commands) -> None:
    command, _ = _add_line_command(commands, "score", "score racks given as JSON lines", SCORE)
    command.set_defaults(run=lambda options: score(options.file, as_json=options.json))


def _add_referee(commands: Commands) -> None:
    summary = "referee a stream of observations given as JSON lines"
    command, ways = _add_line_command(commands, "referee", summary, REFEREE)
    ways.add_argument("--notation", action="store_true", help=NOTATION)
    command.set_defaults(run=lambda options: judge(options.file, as_json=options.json, notation=options.notation))


def _add_line_command(
    commands: Commands, name: str, summary: str, description: str
) -> tuple[argparse.ArgumentParser, Switches]:
    """Add a command that answers JSON lines from a file or standard input; also return its switches for the output."""
    command = _command(commands, name, summary, description)
    command.add_argument("file", nargs="?", type=Path, metavar="FILE", help="input (default: standard input)")
    ways = command.add_mutually_exclusive_group()
    _add_json(ways)
    return command, ways


def _add_replay(commands: Commands) -> None:
    command = _command(
        commands,
        "replay",
        "play a recorded session through the same code as a live table",
        "Read a recorded session's pictures in their own time order, follow the game and print every turn.",
    )
    command.add_argument("session", type=Path, metavar="SESSION", help="folder with session.json and timeline.jsonl")
    command.add_argument("--check", action="store_true", help="compare with the session's truth; exit 1 if they differ")
    _add_json(command)
    command.set_defaults(run=_replay)


def _replay(options: argparse.Namespace) -> int:
    from device.commands.replay import replay  # noqa: PLC0415 - OpenCV takes a while to load

    return replay(options.session, check=options.check, as_json=options.json)


def _add_clip(commands: Commands) -> None:
    command = _command(commands, "clip", "cut a small part out of a recorded session", CLIP)
    command.add_argument("session", type=Path, metavar="SESSION", help="folder with session.json and timeline.jsonl")
    command.add_argument("out", type=Path, metavar="OUT", help="a new folder for the clip")
    command.add_argument("--round", type=int, metavar="N", help="one whole round, from 1 on")
    command.add_argument("--around", type=float, metavar="T", help="some turns before and after T seconds")
    command.add_argument(
        "--from", type=float, metavar="T", dest="first", help="from T seconds (default: the beginning)"
    )
    command.add_argument("--to", type=float, metavar="T", dest="last", help="to T seconds (default: the end)")
    command.add_argument("--names", action="store_true", help="keep the players' names; else they are Player 1, ...")
    _add_json(command)
    command.set_defaults(run=_clip)


def _clip(options: argparse.Namespace) -> int:
    from device.recorder.clip import clip  # noqa: PLC0415 - OpenCV takes a while to load
    from device.recorder.cutting import Wishes  # noqa: PLC0415 - likewise

    wishes = Wishes(options.round, options.around, options.first, options.last)
    return clip(options.session, options.out, wishes, names=options.names, as_json=options.json)


def _add_simulate(commands: Commands) -> None:
    command = _command(commands, "simulate", "draw a session of an imagined table, with its truth", SIMULATE)
    command.add_argument("out", type=Path, metavar="OUT", help="a new folder for the session")
    command.add_argument("--players", type=int, default=2, metavar="N", help="2, 3 or 4 (%(default)s)")
    command.add_argument("--edition", default="parker-1992", metavar="E", help="whose rules and deck (%(default)s)")
    command.add_argument("--seed", type=int, default=1, metavar="S", help="another seed, another evening (%(default)s)")
    command.add_argument("--rounds", type=int, default=1, metavar="N", help="rounds at most (%(default)s)")
    command.add_argument("--turns", type=int, default=400, metavar="N", help="turns a round at most (%(default)s)")
    command.add_argument("--variants", nargs="+", default=(), metavar="V", help="variants of the rules")
    command.add_argument("--level", default="fair", metavar="L", help="how well they play (%(default)s); see above")
    command.add_argument("--cheat", nargs="+", default=(), metavar="RULE", help="rules that are broken now and then")
    command.add_argument("--size", default="720p", metavar="SIZE", help="of the pictures: 720p or 1080p (%(default)s)")
    command.add_argument(
        "--hands", type=float, default=1.0, metavar="X", help="share of hands seen, 0..1 (%(default)s)"
    )
    command.add_argument("--shuffle", action="store_true", help="a used-up pile is shuffled when it is turned over")
    command.add_argument(
        "--nudged", type=float, default=0.0, metavar="MM", help="racks and piles are pushed so far, about, by each play"
    )
    command.add_argument(
        "--manners", type=float, default=0.0, metavar="X", help="share of turns played in people's own ways, 0..1"
    )
    command.add_argument(
        "--printed", type=float, default=1.0, metavar="X", help="mats are printed X times as large, 0.85..1.1"
    )
    command.add_argument(
        "--unrest",
        type=float,
        default=0.0,
        metavar="X",
        help="share of turns in which a camera is bumped, a mat shifts, the light changes or a shadow falls, 0..1",
    )
    command.add_argument("--curled", type=float, default=0.0, metavar="MM", help="mats curl up by up to so many mm")
    command.add_argument("--no-fonts", action="store_true", help="use built-in type only: alike on every machine")
    _add_json(command)
    command.set_defaults(run=_simulate)


def _simulate(options: argparse.Namespace) -> int:
    from device.simulated.command import Wishes, simulate  # noqa: PLC0415 - simulated tables are loaded only where needed

    game = ("players", "edition", "seed", "rounds", "turns", "variants", "level", "cheat", "shuffle")
    film = ("size", "hands", "nudged", "manners", "printed", "unrest", "curled", "no_fonts")
    wishes = Wishes(**{word: getattr(options, word) for word in (*game, *film)})
    return simulate(options.out, wishes, as_json=options.json)


def _add_mats(commands: Commands) -> None:
    command = _command(
        commands,
        "mats",
        "write the mats to print, as a PDF",
        "Write the mats that racks and tray stand on: A4 pages, the tray's and one a seat, to be printed at 100 %.\n\n"
        "The outlines are those of the measured table. A file that is there already is replaced only if it is a PDF.",
    )
    command.add_argument(
        "file", nargs="?", type=Path, default=Path("racko-mats.pdf"), metavar="FILE.pdf", help="default: %(default)s"
    )
    command.add_argument("--seats", type=int, default=4, metavar="N", help="mats for so many seats, 1..4 (%(default)s)")
    command.add_argument("--table", type=Path, metavar="FILE", help="the measured table (default: usual measures)")
    _add_json(command)
    command.set_defaults(run=_mats)


def _mats(options: argparse.Namespace) -> int:
    from device.commands.printing import print_mats  # noqa: PLC0415 - OpenCV takes a while to load

    table = read_table(options.table) if options.table else Table()
    return print_mats(options.file, table, options.seats, as_json=options.json)


def _add_calibrate(commands: Commands) -> None:
    command = _command(commands, "calibrate", "learn the look of the owner's deck from pictures", CALIBRATE)
    command.add_argument("--deck", nargs="+", type=Path, required=True, metavar="IMAGE", help="pictures of a rack each")
    command.add_argument("--table", type=Path, required=True, metavar="FILE", help="the measured table, its table.toml")
    command.add_argument(
        "--cards", metavar="ROWS", help="the cards of each picture from slot 5 on (default: 1-10,11-20,21-30,...)"
    )
    _add_json(command)
    command.set_defaults(run=_calibrate)


def _calibrate(options: argparse.Namespace) -> int:
    from device.commands.calibrating import calibrate_deck  # noqa: PLC0415 - OpenCV takes a while to load

    return calibrate_deck(options.deck, options.table, options.cards, as_json=options.json)


def _add_doctor(commands: Commands) -> None:
    command = _command(commands, "doctor", "check cameras, light, mats and the machine", DOCTOR)
    command.add_argument("--config", type=Path, metavar="FILE", help="settings (TOML), as for serve")
    command.add_argument(
        "--camera", action="append", default=[], metavar="SOURCE", help="look through this one; for several, repeat it"
    )
    command.add_argument(
        "--picture", action="append", default=[], type=Path, metavar="FILE", help="look at this photograph; likewise"
    )
    command.add_argument("--table", type=Path, metavar="FILE", help="the measured table (default: usual measures)")
    _add_json(command)
    command.set_defaults(run=_doctor)


def _doctor(options: argparse.Namespace) -> int:
    from device.doctor.command import Options, doctor  # noqa: PLC0415 - OpenCV takes a while to load

    pictures, cameras = tuple(options.picture), tuple(options.camera)
    return doctor(Options(options.config, cameras, pictures, options.table, options.json))


def _add_pin(commands: Commands) -> None:
    command = _command(commands, "pin", "tell the host's PIN and where the pages are, or make a new PIN", PIN)
    command.add_argument("--config", type=Path, metavar="FILE", help="settings (TOML), as for serve")
    command.add_argument("--new", action="store_true", help="make a new PIN")
    command.add_argument("--new-links", action="store_true", help="make new secret links to the seats' pages")
    _add_json(command)
    command.set_defaults(run=_pin)


def _pin(options: argparse.Namespace) -> int:
    from device.commands.pin import tell_pin  # noqa: PLC0415 - the pages are loaded only where they are needed

    return tell_pin(options.config, new=options.new, new_links=options.new_links, as_json=options.json)


def _add_bench(commands: Commands) -> None:
    command = _command(commands, "bench", "measure speed and memory, as ratios in one run", BENCH)
    command.add_argument(
        "--seconds", type=float, default=8.0, metavar="N", help="how long to compare, at least one lap (%(default)s)"
    )
    command.add_argument(
        "--looks", type=int, default=10_000, metavar="N", help="how many looks memory is watched over (%(default)s)"
    )
    command.add_argument(
        "--table-laps", type=int, default=7, metavar="N", help="how often a drawn table is looked at (%(default)s)"
    )
    command.add_argument(
        "--session", type=Path, metavar="DIR", help="the recorded round to replay (one that comes with the project)"
    )
    _add_json(command)
    command.set_defaults(run=_bench)


def _bench(options: argparse.Namespace) -> int:
    from device.measuring.bench import bench  # noqa: PLC0415 - simulated tables are loaded only where they are needed

    return bench(options.seconds, options.looks, options.table_laps, options.session, as_json=options.json)


if __name__ == "__main__":
    sys.exit(main())
