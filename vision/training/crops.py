"""Labelled synthetic crops by the crop contract of vision/reading/digits.py: numbers 1..60, and 0 for "no number here".

`python -m vision.training.crops OUT.npz --count N --seed S` keeps them in a file for vision.training.train.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.training import photos as photographs
from vision.training import scene as sc
from vision.training import surfaces, typefaces
from vision.training.camera import photograph
from vision.training.typefaces import Face

Number = tuple[NDArray[np.float32], float]
"""A number's ink mask and the factor of its width (1 for a photographed one)."""


class CropMaker:
    """Draws crops from typefaces, and from photographed figures where there are some.

    `hard` 0..1 is how far the effects may go; `photos` holds one dictionary of masks a photographed page (see
    photos.py). The same seed gives the same crops on the same fonts.
    """

    def __init__(
        self, faces: Sequence[Face], seed: int, hard: float = 1.0, photos: Sequence[dict[str, list[sc.Canvas]]] = ()
    ) -> None:
        if not faces:
            raise ValueError("no typefaces to draw with; install some fonts (see vision/training/README.md)")
        self._faces = faces
        weights = np.array([face.weight for face in faces])
        self._weights = weights / weights.sum()
        self._photos = photos
        self._hard = hard
        self._rng = np.random.default_rng(seed)

    def make(self, count: int, nothing: float = 0.16) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Crops (count, 32, 48) and labels (count,); a share of `nothing` shows no number."""
        crops = np.empty((count, 32, 48), np.uint8)
        labels = np.empty(count, np.int64)
        for i in range(count):
            crops[i], labels[i] = self._nothing() if self._rng.random() < nothing else self._number()
        return crops, labels

    def _face(self) -> Face:
        return self._faces[int(self._rng.choice(len(self._faces), p=self._weights))]

    def _photograph(self, canvas: sc.Canvas) -> NDArray[np.uint8]:
        # Within one part of the data every degree of hardness occurs.
        return photograph(self._rng, canvas, self._hard * self._rng.uniform(0.1, 1.0))

    def _mask(self, text: str) -> Number:
        """A number's mask, from a photographed page or a typeface."""
        if self._photos and self._rng.random() < 0.18 and "0" not in text:
            page = self._photos[int(self._rng.integers(len(self._photos)))]
            if all(figure in page for figure in text):
                return self._pasted(page, text), self._rng.uniform(0.9, 1.15)
        stretch = 1.0 if self._rng.random() < 0.4 else self._rng.uniform(0.6, 1.45)
        return sc.set_type(self._rng, self._face(), text).mask, stretch

    def _pasted(self, page: dict[str, list[sc.Canvas]], text: str) -> sc.Canvas:
        """Photographed figures side by side; every figure keeps its own height of its page."""
        parts = [page[figure][int(self._rng.integers(len(page[figure])))] for figure in text]
        height = max(part.shape[0] for part in parts)
        gap = np.zeros((height, int(self._rng.integers(1, 7))), np.float32)
        row: list[sc.Canvas] = []
        for part in parts:
            spare = height - part.shape[0]
            row += [np.pad(part, ((spare // 2, spare - spare // 2), (0, 0))), gap]
        return np.hstack(row[:-1])

    def _number(self) -> tuple[NDArray[np.uint8], int]:
        rng = self._rng
        label = int(rng.integers(1, 61))
        mask, stretch = self._mask(str(label))
        height = sc.INK * rng.uniform(0.75, 1.3)
        stretch = min(stretch, 42 / (mask.shape[1] / mask.shape[0] * height))
        half = mask.shape[1] / mask.shape[0] * height * stretch / 2
        # Mostly off by some pixels, now and then by as much as leaves the number within the crop.
        wide = rng.uniform(half - 23, 23 - half) if rng.random() < 0.15 else rng.normal(0, 2.4)
        at = (float(np.clip(wide, -9, 9)), float(np.clip(rng.normal(0, 2.2), -5.5, 5.5)))
        ink = sc.empty()
        sc.place(ink, mask, height, stretch, at)
        if rng.random() < 0.15:
            ink = sc.worn(rng, ink)
        card, dye = tones = sc.tones(rng)
        canvas = sc.over(np.full_like(ink, card), dye, ink)
        if rng.random() < 0.1:
            canvas = self._beside(canvas, at[0], half, tones)
        canvas = self._neighbours(canvas, at[1], height, tones)
        return self._photograph(canvas), label

    def _neighbours(self, canvas: sc.Canvas, y: float, height: float, tones: tuple[float, float]) -> sc.Canvas:
        """The card's own top edge with what is behind it, and the edge of the card in front."""
        rng = self._rng
        if rng.random() < 0.6:
            # 2..3 mm below the edge (TABLE.md, Cards), a little more or less by edition and by pose.
            top = y - height / 2 - rng.uniform(1.2, 3.8) / 6.75 * height
            canvas = self._edge(canvas, top, tones, below=False)
        if rng.random() < 0.5:
            hidden = rng.uniform(0, 0.45) if rng.random() < 0.5 else rng.uniform(-0.8, 0.0)
            canvas = self._edge(canvas, y + height * (0.5 - hidden), tones, below=True)
        return canvas

    def _beside(self, canvas: sc.Canvas, x: float, half: float, tones: tuple[float, float]) -> sc.Canvas:
        """Other print that reaches into the crop from its side, farther from the number than its own figures are."""
        rng = self._rng
        mask, stretch = self._mask(str(int(rng.integers(1, 61))))
        ink = sc.empty()
        side = 1 if rng.random() < 0.5 else -1
        width = mask.shape[1] / mask.shape[0] * sc.INK * stretch
        near = max(18.0, side * x + half + rng.uniform(9, 14))
        sc.place(ink, mask, sc.INK, stretch, (side * (near + width / 2), rng.uniform(-14, 14)))
        return sc.over(canvas, tones[1], ink)

    def _edge(self, canvas: sc.Canvas, y: float, tones: tuple[float, float], *, below: bool) -> sc.Canvas:
        """Another surface beyond an edge at height y: behind this card (above) or in front of it (below)."""
        rng = self._rng
        slope = rng.normal(0, 0.04)
        where = sc.half_plane(y, slope, rng.uniform(0.2, 1.0))
        where = where if below else 1 - where
        other = tones if rng.random() < 0.5 else sc.tones(rng)
        tone = float(np.clip(other[0] + rng.normal(0, 0.08), 0, 1))
        surface = np.full_like(canvas, tone)
        kind = rng.random()
        if kind < 0.4:
            surface = self._other_number(surface, y, other, below=below)
        elif kind < 0.55:
            surface = np.asarray(surface + sc.blotches(rng, rng.uniform(0.7, 9)) * np.float32(0.1), np.float32)
        elif kind < 0.62:
            surface = surfaces.pattern(rng, surface)
        canvas = sc.over(canvas, surface, where)
        if rng.random() < 0.6:
            # The cut edge of the card catches the light; the gap behind it lies in shadow.
            line = np.exp(-(((sc.half_plane(y, slope, 8) - 0.5) * 8 / rng.uniform(0.3, 1.0)) ** 2))
            canvas = sc.over(canvas, rng.uniform(0, 1), np.asarray(line * rng.uniform(0.2, 1), np.float32))
        if rng.random() < 0.4:
            near = sc.half_plane(y + rng.uniform(-3, 3), slope, rng.uniform(3, 9))
            canvas = canvas * (1 - (1 - near if below else near) * (0 if below else 1) * np.float32(0.4))
            canvas = canvas * (1 - (near if below else 0) * np.float32(rng.uniform(0, 0.3)))
        return np.asarray(canvas, np.float32)

    def _other_number(self, surface: sc.Canvas, y: float, tones: tuple[float, float], *, below: bool) -> sc.Canvas:
        rng = self._rng
        mask, stretch = self._mask(str(int(rng.integers(1, 61))))
        ink = sc.empty()
        # In front: whole figures begin 2..3 mm below the edge. Behind: their lower part is hidden by this card.
        off = sc.INK * (rng.uniform(0.75, 1.1) if below else -rng.uniform(-0.3, 0.8))
        sc.place(ink, mask, sc.INK * rng.uniform(0.85, 1.15), stretch, (rng.uniform(-24, 24), y + off))
        return sc.over(surface, tones[1], ink)

    def _nothing(self) -> tuple[NDArray[np.uint8], int]:
        rng = self._rng
        tones = sc.tones(rng)
        canvas = np.full_like(sc.empty(), tones[0])
        drawn = [
            self._bare, self._letters, self._letters, self._plain, self._blob,
            self._half, self._half, self._half, self._turned, self._turned, self._odd_size, self._illegal,
            self._illegal, self._hidden,
        ][int(rng.integers(14))](canvas, tones)  # fmt: skip
        if rng.random() < 0.4:
            drawn = self._edge(drawn, rng.uniform(-16, -7), tones, below=False)
        if rng.random() < 0.3:
            drawn = self._edge(drawn, rng.uniform(7, 16), tones, below=True)
        return self._photograph(drawn), 0

    def _bare(self, canvas: sc.Canvas, tones: tuple[float, float]) -> sc.Canvas:
        # Far enough out that no neighbour's number stands whole in the middle.
        for below in (False, True):
            if self._rng.random() < 0.6:
                far = self._rng.uniform(3, 16)
                canvas = self._edge(canvas, far if below else -far, tones, below=below)
        return canvas

    def _plain(self, canvas: sc.Canvas, tones: tuple[float, float]) -> sc.Canvas:
        return surfaces.surface(self._rng, canvas, tones)

    def _blob(self, canvas: sc.Canvas, tones: tuple[float, float]) -> sc.Canvas:
        return surfaces.blob(self._rng, canvas, tones)

    def _letters(self, canvas: sc.Canvas, tones: tuple[float, float]) -> sc.Canvas:
        rng = self._rng
        ink = sc.empty()
        mask = sc.letters(rng, self._face()).mask
        sc.place(ink, mask, rng.uniform(8, 45), rng.uniform(0.8, 1.3), (rng.normal(0, 8), rng.normal(0, 6)))
        return sc.over(canvas, tones[1], ink)

    def _half(self, canvas: sc.Canvas, tones: tuple[float, float]) -> sc.Canvas:
        """A two-figure number so far off that the crop's border cuts through it, or one that is mostly outside."""
        rng = self._rng
        mask, stretch = self._mask(str(int(rng.integers(10, 61))))
        ink = sc.empty()
        height = sc.INK * rng.uniform(0.85, 1.25)
        width = mask.shape[1] / mask.shape[0] * height * stretch
        side = 1 if rng.random() < 0.5 else -1
        # From a quarter of the number beyond the border on; the rest of it may stand in the very middle.
        sc.place(ink, mask, height, stretch, (side * (24 + width * rng.uniform(-0.25, 0.35)), rng.normal(0, 2)))
        return sc.over(canvas, tones[1], ink)

    def _turned(self, canvas: sc.Canvas, tones: tuple[float, float]) -> sc.Canvas:
        """A number upside down (where that is no number of the deck), or lying on its side."""
        rng = self._rng
        text = str(int(rng.integers(1, 61)))
        while sc.legal_when_turned(text):
            text = str(int(rng.integers(1, 61)))
        mask, stretch = self._mask(text)
        turned = np.rot90(mask, 2 if rng.random() < 0.75 else (1 if rng.random() < 0.5 else 3))
        ink = sc.empty()
        at = (rng.normal(0, 2), rng.normal(0, 2))
        sc.place(ink, np.ascontiguousarray(turned), sc.INK * rng.uniform(0.8, 1.25), stretch, at)
        return sc.over(canvas, tones[1], ink)

    def _odd_size(self, canvas: sc.Canvas, tones: tuple[float, float]) -> sc.Canvas:
        """Figures of small print, or so large that they leave the crop: not the card's number."""
        rng = self._rng
        ink = sc.empty()
        if rng.random() < 0.7:
            for line in range(int(rng.integers(1, 4))):
                text = str(int(rng.integers(1, 10 ** int(rng.integers(1, 5)))))
                height = rng.uniform(3, 7)
                mask = sc.set_type(rng, self._face(), text).mask
                sc.place(ink, mask, height, 1, (rng.uniform(-15, 15), (line - 1) * height * 1.6))
        else:
            mask, stretch = self._mask(str(int(rng.integers(1, 61))))
            sc.place(ink, mask, rng.uniform(38, 60), stretch, (rng.normal(0, 6), rng.normal(0, 4)))
        return sc.over(canvas, tones[1], ink)

    def _illegal(self, canvas: sc.Canvas, tones: tuple[float, float]) -> sc.Canvas:
        """A number that no deck has: 61..99, three figures, a figure after a nought."""
        rng = self._rng
        kind = rng.random()
        text = str(int(rng.integers(61, 100))) if kind < 0.65 else str(int(rng.integers(100, 400)))
        text = f"0{int(rng.integers(0, 10))}" if kind > 0.9 else text
        mask = sc.set_type(rng, self._face(), text).mask
        ink = sc.empty()
        width = mask.shape[1] / mask.shape[0] * sc.INK
        sc.place(ink, mask, sc.INK, min(1, 42 / width) * rng.uniform(0.85, 1.05), (rng.normal(0, 2), rng.normal(0, 2)))
        return sc.over(canvas, tones[1], ink)

    def _hidden(self, canvas: sc.Canvas, tones: tuple[float, float]) -> sc.Canvas:
        """A number behind the card in front but for a sliver."""
        rng = self._rng
        mask, stretch = self._mask(str(int(rng.integers(1, 61))))
        ink = sc.empty()
        y = rng.uniform(-2, 4)
        sc.place(ink, mask, sc.INK, stretch, (rng.normal(0, 3), y))
        return self._edge(
            sc.over(canvas, tones[1], ink), y + sc.INK * (0.5 - rng.uniform(0.72, 1.0)), tones, below=True
        )


def main() -> int:
    """Draw and write."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.crops", description=__doc__)
    parser.add_argument("out", type=Path, help="file to write (.npz)")
    parser.add_argument("--part", choices=("train", "calibrate", "test"), default="train", help="of the typefaces")
    parser.add_argument("--count", type=int, default=24000, help="1 ms each (%(default)s)")
    parser.add_argument("--nothing", type=float, default=0.16, help="share without a number (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real-digits", type=Path, help="folder of photographed digits (photos.py says which)")
    options = parser.parse_args()
    pages = photographs.load(options.real_digits, options.part) if options.real_digits else []
    maker = CropMaker(typefaces.load(options.part), options.seed, photos=pages)
    crops, labels = maker.make(options.count, options.nothing)
    np.savez(options.out, crops=crops, labels=labels)
    print(f"{len(labels)} crops")
    return 0


if __name__ == "__main__":
    sys.exit(main())
