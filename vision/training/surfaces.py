"""Surfaces without a number: card backs, textures, blobs."""

import cv2
import numpy as np

from vision.training.scene import COLUMNS, ROWS, SHARP, Canvas, blotches, empty, over


def surface(rng: np.random.Generator, canvas: Canvas, tones: tuple[float, float]) -> Canvas:
    """Wood, cloth, carpet, a marker, or a card back, for the whole crop."""
    kind = rng.random()
    if kind < 0.25:
        return blocks(rng, canvas, tones)
    if kind < 0.65:
        return pattern(rng, canvas)
    field = blotches(rng, rng.uniform(0.7, 12))
    field = np.sign(field) if rng.random() < 0.3 else field
    return np.asarray(canvas + field * (tones[1] - tones[0]) * rng.uniform(0.05, 0.6), np.float32)


def pattern(rng: np.random.Generator, canvas: Canvas) -> Canvas:
    """A card back: rings, frames, lattices, stripes or chequers, repeated."""
    ink = empty()
    step = round(rng.uniform(3, 22) * SHARP)
    size = round(step * rng.uniform(0.2, 0.55))
    thick = -1 if rng.random() < 0.3 else int(rng.integers(1, 9))
    kind = int(rng.integers(5))
    x0, y0 = rng.integers(0, step, 2)
    for y in range(-int(y0), ROWS + step, step):
        if kind == 3:
            cv2.line(ink, (0, y), (COLUMNS, y + round(rng.normal(0, 1))), 1.0, max(1, size // 2))
            continue
        for x in range(-int(x0), COLUMNS + step, step):
            if kind == 0:
                cv2.circle(ink, (x, y), size, 1.0, thick, cv2.LINE_AA)
            elif kind == 1:
                cv2.rectangle(ink, (x - size, y - size), (x + size, y + size), 1.0, thick, cv2.LINE_AA)
            elif kind == 2:
                cv2.line(ink, (x, y), (x + step, y + step), 1.0, max(1, thick), cv2.LINE_AA)
                cv2.line(ink, (x + step, y), (x, y + step), 1.0, max(1, thick), cv2.LINE_AA)
            elif (x // step + y // step) % 2:
                cv2.rectangle(ink, (x, y), (x + step, y + step), 1.0, -1)
    return over(canvas, rng.uniform(0, 1), ink * np.float32(rng.uniform(0.15, 1)))


def blocks(rng: np.random.Generator, canvas: Canvas, tones: tuple[float, float]) -> Canvas:
    """A part of a mat's marker, at any turn: square fields of two tones, some of which look like figures."""
    cells = np.zeros((8, 8), np.float32)
    cells[1:7, 1:7] = 1
    cells[2:6, 2:6] = rng.random((4, 4)) < 0.5
    step = rng.uniform(2.5, 14) * SHARP
    turn = rng.uniform(0, 2 * np.pi)
    bent = step * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    middle = np.array([COLUMNS / 2, ROWS / 2]) + rng.normal(0, 1.5, 2) * step
    way = np.column_stack([bent, middle - bent @ np.array([3.5, 3.5])])
    ink = cv2.warpAffine(cells, way, (COLUMNS, ROWS), flags=cv2.INTER_NEAREST)
    soft = cv2.GaussianBlur(ink, (0, 0), 1.5)
    return over(canvas, tones[1], np.asarray(soft, np.float32))


def blob(rng: np.random.Generator, canvas: Canvas, tones: tuple[float, float]) -> Canvas:
    """Fingers, dirt, a thing in the picture: rounded shapes of another tone, at no special place."""
    ink = empty()
    for _ in range(rng.integers(1, 4)):
        middle = (int(rng.integers(0, COLUMNS)), int(rng.integers(0, ROWS)))
        axes = (int(rng.integers(4, 80)), int(rng.integers(4, 40)))
        cv2.ellipse(ink, middle, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1, cv2.LINE_AA)
    soft = cv2.GaussianBlur(ink, (0, 0), rng.uniform(0.5, 9))
    return over(canvas, tones[1], np.asarray(soft, np.float32))
