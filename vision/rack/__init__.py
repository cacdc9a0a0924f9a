"""A rack before a camera: where its cards stand, and their rectified strips."""
