"""`racko doctor`: asks for all checks and says what they found, for people or as JSON lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from device.doctor import program
from device.doctor.findings import Finding, as_json, as_text, summary

LIBRARY = "sudo apt install libgl1 libglib2.0-0, which OpenCV needs of the system"


@dataclass(frozen=True)
class Options:
    """What the command line asks for; see `racko doctor --help`."""

    config: Path | None = None
    camera: tuple[str, ...] = ()
    picture: tuple[Path, ...] = ()
    table: Path | None = None
    json: bool = False


def doctor(options: Options) -> int:
    """Check and print; return the exit code, 1 if something is bad.

    Raises RackoError or TableError for settings, a table or a picture that cannot be read.
    """
    try:
        findings = _findings(options)
    except ImportError as problem:
        findings = iter((program.packages(), _missing(problem)))
    said: list[Finding] = []
    for finding in findings:
        if options.json:
            print(as_json(finding), flush=True)
        else:
            print(as_text(finding, first=not said or said[-1].check != finding.check), flush=True)
        said.append(finding)
    if not options.json:
        print(f"\n  {summary(said)}")
    return 1 if any(finding.verdict == "bad" for finding in said) else 0


def _findings(options: Options) -> Iterator[Finding]:
    """Read what the options name, then begin; raises ImportError where a package that all needs is missing."""
    # a package may be what is missing, and the doctor is whom people ask then
    from calibration.table import read_table  # noqa: PLC0415 - as said
    from device.configuration import Configuration, read_configuration  # noqa: PLC0415 - as said
    from device.doctor.case import Case  # noqa: PLC0415 - as said
    from device.doctor.checkup import CHECKS, OF_PICTURES, examine  # noqa: PLC0415 - as said
    from device.doctor.views import of_picture  # noqa: PLC0415 - as said

    settings = Configuration() if options.config is None else read_configuration(options.config)
    measured = options.table or settings.table
    table = None if measured is None else read_table(measured)
    for picture in options.picture:
        of_picture(picture, table)
    of_pictures_alone = options.picture and not options.camera and options.config is None
    case = Case(settings, table, options.camera, options.picture)
    return examine(case, OF_PICTURES if of_pictures_alone else tuple(CHECKS))


def _missing(problem: ImportError) -> Finding:
    words = " ".join(str(problem).split())
    mend = LIBRARY if ".so" in words else program.AGAIN
    return Finding(program.CHECK, "bad", f"cannot be loaded ({words}), so nothing else was checked", mend)
