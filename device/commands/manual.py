"""What `racko score`, `referee`, `simulate`, `bench`, `calibrate`, `doctor`, `pin` say of themselves under --help."""

from typing import Final

from engine.editions import EDITIONS
from engine.powers import POWERS
from engine.variants import VARIANTS

RULES: Final = f"""\
editions: {", ".join(EDITIONS)}
variants: {", ".join(VARIANTS)}
   partners is for 4 players, run-of-three for 2, classic for hasbro-2006. quick has no scoring and goes with neither
   bonus nor partners. bonus-from-four goes with run-of-three. What does not go together is refused with the reason.
options, by their default those of the edition:
   "first_dealer": "highest" or "lowest", by the card that each player draws
   "turn_over": "new-discard" or "no-discard"; whether turning the discard pile over begins a new one
   "powers": {{"7": "{POWERS[0]}", "11": null}}; the Prime cards of hasbro-2006, null: its power is not known;
      the powers: {", ".join(POWERS)}
   "ends_by_itself": true or false; whether a rack in order ends the round without a call
"""

SCORE: Final = f"""\
Score finished rounds, one JSON object a line. An example:

{{"edition": "parker-1992", "variants": ["bonus"], "options": {{}}, "out": 1, "racks": \
{{"1": [3, 9, 12, 13, 14, 20, 25, 31, 36, 40], "2": [2, 4, 1, 7, 8, 10, 19, 22, 30, 39]}}}}

A rack is ten cards, from slot 5 to slot 50; "out" is the seat that went out; "variants" and "options" may be left out.
The answer to a line is the scores and the reasons by seat, or an error with the line's number.

{RULES}"""

REFEREE: Final = f"""\
Take what was seen and said at a table, one JSON object a line, and say turns, violations, doubts and scores as soon as
they are certain. An example of each line:

{{"type": "game", "edition": "parker-1992", "variants": ["bonus"], "options": {{}}, "players": \
[{{"seat": 1, "name": "Ada"}}, {{"seat": 2, "name": "Ben"}}]}}
{{"type": "round", "dealer": 1}}
{{"type": "observe", "t": 12.4, "racks": {{"1": {{"5": 12, "10": null}}}}, "discard": {{"17": 0.9, "11": 0.08}}, \
"draw": "cards"}}
{{"type": "unsettled", "t": 15.0}}
{{"type": "call", "t": 80.2, "seat": 1}}
{{"type": "correct", "t": 81.0, "seat": 1, "slot": 25, "card": 38}}

A place that is missing or null was not seen; 0 was seen to be empty. Another game line begins another game. A line that
cannot be is answered with an error and its number, and the stream goes on. The README (Formats) has the rest.

{RULES}"""

NOTATION: Final = "print no events, but each game as text (engine/record.py) when it is over or cut off"

SIMULATE: Final = f"""\
Let virtual players play a game and draw it as a camera at the tray and one at each rack would see it: one deck, one
room, one set of cameras, made up from the seed. The folder becomes a recorded session with its truth, for
racko replay OUT --check, racko serve --session OUT and python -m vision.report OUT.

The same seed gives the same session on a machine with the same fonts; with --no-fonts on any machine. A round of two
players has some 150 pictures.

People's own ways (--manners): the old card is out of the rack before another is drawn, or on the discard pile before
the new one is in; another slot is tried first; a card is lifted and laid down again; the deal comes by handfuls, and
one player is late.

editions: {", ".join(EDITIONS)}
variants: {", ".join(VARIANTS)}
levels: careless, beginner, fair, strong
rules to break: wrong-turn, two-cards-exchanged, cards-rearranged, wrong-discard, prime-taken, false-call,
   card-not-in-deck, duplicate-card, missing-card
"""

BENCH: Final = """\
Measure how fast the referee takes looks at simulated tables (parker-1992, 2 and 4 players, two looks a turn, all seen
or a quarter of the places unseen), as ready-made objects and as JSON lines; how much memory it holds over a long
evening; and how long it takes to read one picture, where the recorded round is there. Then a table is drawn, four racks
and a tray at 1080p, and looked at: with every card changed, with none and with one, beside a Tesseract call a strip.

What is compared runs by turns in small slices and is measured in processor time, so that other work on this machine or
a changing clock disturbs all of it alike. A ratio is the median over all laps; the middle half of the laps lies in the
range in brackets. The yardstick is python-chess, which reads the moves of three famous games and plays them on a board:
how many chess moves does one look cost? Without python-chess (pip install chess) the rest is measured all the same.
"""

CALIBRATE: Final = """\
Learn this deck's look from pictures of racks whose cards are known, so that it is read better.

Load a rack with cards 1 to 10 in order, from slot 5 at the front to slot 50, and take a picture of it on its mat, as
the camera stands in play. Do the same with 11 to 20 and so on: six pictures show the deck. More pictures, of another
evening or in another light, make it better: what is learnt is added to what was known, and a picture that was wrong
is forgotten in time.

From them Racko learns what each number of this deck looks like, the colour and height of its print, and where on its
card each number stands. That is kept beside the measured table, in deck.toml (figures) and deck.png (a sheet of all
numbers: look at it, each tile should show its number). All commands that are given this table use it. Delete both
files to begin anew.

A card that is clearly another than was said is named and passed over; so is a picture of another rack.
"""

CAMERA: Final = (
    "one camera, by what it is or as NAME=WHAT (tray=v4l2:/dev/video0); may be given several times. WHAT is auto (all "
    "that are plugged in), v4l2:/dev/v4l/by-id/..., rpicam:0, http://HOST/..., file:movie.mp4, or a whole table that "
    "plays by itself: simulated:SEED or session:DIR (default: simulated:1)"
)

DOCTOR: Final = """\
Check what an evening needs: the program itself, clock, disk, heat, network, pins, Tesseract, cameras, light and mats.
What is amiss is said with a line on how to mend it. Nothing is changed, no light is lit, and no card of any rack is
told, so it may be asked at any time; a table that is running keeps its cameras and pins.

Without --camera the settings' camera is looked through, else each that is plugged in, all at the same time for some
seconds. Lay the mats, put racks with cards on them, and switch on the light of the evening first. --picture alone
checks light and mats on a photograph, before there is any camera.

Marks: good; LOOK, it works but look at it; BAD, an evening would suffer; -, there is nothing to check here.
Each JSON line has "check", "verdict" (good, look, bad or skipped), "found" and "mend".
"""

CLIP: Final = """\
Cut a part out of a recorded session, as a small session of its own: for a bug report, or for a test.

  racko clip EVENING OUT --round 3            the third round, whole
  racko clip EVENING OUT --around 812.5       two whole turns before that moment and two after it, from pause to pause
  racko clip EVENING OUT --from 800 --to 830  that part; a cut in the middle of a turn may replay another way

Times are seconds of the session, as racko replay prints them. A part whose first turn takes a card from the discard
pile begins some turns earlier: what lies below that card is known from them only.

The clip holds what each camera saw last before it begins, the pictures and orders of its part, and the truth that
belongs to them: turns, violations and scores, each by the "referee" or by the "host", and the cards that the host
named, in their pictures. Where it begins in the middle of a round, a round line deals so that the player begins whose
turn it is. racko replay OUT --check then plays it.

Look at the pictures before you give them away: they show what stood before the cameras, and the racks. The names of the
players do not come along unless you ask for them.
"""

PIN: Final = """\
Tell the PIN of the host's page, and where the pages are, of the table that runs on this machine with these settings or
ran here last. They are kept in secrets.json in the journal's folder, which only their owner may read; where
deploy/install has put Racko on this machine, ask with sudo.

--new makes a new PIN, after which whoever was the host has to type it; a PIN of the settings is changed there.
--new-links makes new links to the seats' pages, after which each player scans the code of the host's page again.
Either counts once racko serve is started again.
"""
